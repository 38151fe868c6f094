import numpy as np
import pytest
from metric_checks import draw_factors, golden_case
from study_figure_checks import maps_of, run_figure_test
from study_tables import table_of

from disentangle_tf import metrics
from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello import plot_unified_scores, unified_scores
from disentangle_tf.studies.analyses import score_correlations


def test_the_four_named_metrics():
  rng = np.random.default_rng(0)
  factors = draw_factors(600, sizes=(3, 4))
  mixing = rng.normal(size=(2, 4))
  codes = factors @ mixing + 0.3 * rng.normal(size=(600, 4))
  train, test = (codes[:400], factors[:400]), (codes[400:], factors[400:])
  entropies = [
    -sum(p * np.log(p) for p in np.bincount(factor) / 400) for factor in train[1].T
  ]
  matrices = {
    "importance": metrics.dci_importance(*train),
    "information": metrics.mutual_information_matrix(*train, num_bins=20),
    "accuracy": metrics.sap_matrix(*train, *test),
  }
  scores = unified_scores(matrices, entropies)
  assert len(scores) == 12
  assert scores["importance_dci"] == pytest.approx(
    metrics.dci(*train, *test)["disentanglement"]
  )
  assert scores["information_mig"] == pytest.approx(metrics.mig(*train)["mig"])
  assert scores["accuracy_sap"] == pytest.approx(metrics.sap(*train, *test)["sap"])
  assert scores["information_modularity"] == pytest.approx(
    metrics.modularity(*train)["modularity"]
  )


@pytest.mark.parametrize("case", "12345")
def test_golden(case):
  golden = golden_case(case)[0]
  between = golden["intermediate"]["scores"]
  matrix = np.array(between["mutual_information_matrix"])
  scores = unified_scores({"information": matrix}, between["factor_entropy"])
  expected = golden["unified_scores"]["scores"]
  for name in ("dci", "mig", "sap", "modularity"):
    there = expected[f"mutual_information_matrix.{name}"]
    assert scores[f"information_{name}"] == pytest.approx(there, abs=1e-9)


def test_perfect_and_single_latents():
  scores = unified_scores({"a": np.eye(3)}, np.ones(3))
  assert scores == pytest.approx(
    {"a_dci": 1, "a_mig": 1, "a_sap": 1, "a_modularity": 1}
  )
  assert unified_scores({"a": [[0.5, 1.0]]}, [1, 2])["a_mig"] == 0.5


@pytest.mark.parametrize(
  ("matrix", "entropies", "message"),
  [
    ([1.0, 2.0], [1, 1], r"must be \[latents, factors\]"),
    ([[np.nan, 1.0]], [1, 1], "finite numbers"),
    ([[-1.0, 1.0]], [1, 1], "entries below 0"),
    ([[1.0, 1.0]], [1], "has 2 factors: each needs an entropy"),
    ([[1.0, 1.0]], [1, 0], "above 0"),
  ],
)
def test_wrong_matrices_are_refused(matrix, entropies, message):
  with pytest.raises(UserError, match=message):
    unified_scores({"a": matrix}, entropies)


_SCORES = ("importance_dci", "information_mig", "accuracy_mig")


def _table():
  return table_of(np.random.default_rng(0).random((3, 2, 2, 3, 5)), scores=_SCORES)


def test_promises():
  run_figure_test(plot_unified_scores, _table())


def test_aggregations_together():
  figure = plot_unified_scores(_table())["unified_scores"]
  axis = maps_of(figure)[0]
  labels = [label.get_text() for label in axis.get_yticklabels()]
  assert labels == ["DCI (importance)", "MIG (information)", "MIG (accuracy)"]
  panel = score_correlations(_table(), _SCORES, _SCORES, resamples=0)["set 0"]
  np.testing.assert_allclose(axis.images[0].get_array(), 100 * panel.values)
