from study_figure_checks import run_figure_test
from study_tables import only, row_of

from disentangle_tf.studies.figures import plot_claims
from disentangle_tf.studies.results_table import results_table

_CLAIMS = {
  f"better on {data}": {
    "b − a": [(1, {"method": "b", "data": data}), (-1, {"method": "a", "data": data})]
  }
  for data in ("dsprites", "spot")
}


def _table():
  return results_table(
    row_of(data, method, 0, seed, score, value + 0.001 * seed, step=step)
    for score in ("mig", "disentanglement")
    for step in (50, 100)
    for seed in range(6)
    for data, method, value in (
      ("dsprites", "a", 0.1),
      ("dsprites", "b", 0.4),
      ("spot", "a", 0.5),
      ("spot", "b", 0.2),
    )
  )


def test_promises():
  run_figure_test(plot_claims, _table(), claims=_CLAIMS)


def test_values_and_verdicts():
  found = plot_claims(_table(), claims=_CLAIMS)
  lines = found["claims.md"].splitlines()
  assert lines[2] == (
    "| better on dsprites | MIG | b − a | 0.300 [0.300, 0.300] | 6 | shown |"
  )
  assert lines[3].endswith("| -0.300 [-0.300, -0.300] | 6 | contradicted |")
  assert lines[4].startswith("| better on dsprites | DCI disentanglement |")
  assert "MIG decides" in lines[-1]
  first, second = found["claims"].axes
  assert [axis.texts[0].get_text() for axis in (first, second)] == [
    "shown",
    "contradicted",
  ]


def test_what_is_missing():
  table = only(_table(), data="spot")
  found = plot_claims(only(table, seed=5, method="a"), claims=_CLAIMS)
  lines = found["claims.md"].splitlines()
  assert lines[2].endswith("| 5 (1 incomplete) | shown |")
  assert lines[3].endswith("| – | 0 (6 incomplete) | not shown |")
