import numpy as np
from study_figure_checks import run_figure_test, small_study
from study_tables import table_of

from disentangle_tf.studies.figures import plot_score_summary
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import select


def _three_versions():
  """0.1, 0.2, 0.3 of two methods on three versions of a set, but one cell."""
  values = np.full((1, 3, 2, 1, 3), [0.1, 0.2, 0.3])
  values[0, 1, 0] = np.nan
  return table_of(
    values, data=["noise", "original", "modified"], methods=["PCL", "beta-VAE"]
  )


def test_promises():
  run_figure_test(plot_score_summary, scores=("mig", "sap"))


def test_means_and_deviations():
  table = select(small_study(), strength=1)
  found = plot_score_summary(table)
  wide = pivot(table, ["mig"])
  chosen = (wide.method == "FactorVAE") & (wide.data == "dsprites")
  values = wide.loc[chosen, "mig"].to_numpy()
  cell = f"{values.mean():.2f} ± {values.std(ddof=1):.2f} (3)"
  assert cell in found["score_summary.md"]
  texts = [text.get_text() for text in found["score_summary_mig"].axes[0].texts]
  assert cell in texts and "FactorVAE" in texts and "dSprites" in texts
  assert len(found) == 8  # six metrics, all models, the text


def test_in_the_order_of_the_paper_with_its_numbers_below():
  published = {"mig": {"PCL": {"original": "0.21 ± 0.03"}, "AE": {"noise": "1"}}}
  found = plot_score_summary(_three_versions(), scores=("mig",), published=published)
  assert found["score_summary.md"].split("\n")[:4] == [
    "| MIG | original | modified | noise |",
    "|---|---|---|---|",
    "| β-VAE | 0.20 ± 0.10 (3) | 0.20 ± 0.10 (3) | 0.20 ± 0.10 (3) |",
    "| PCL | –<br>paper 0.21 ± 0.03 | 0.20 ± 0.10 (3) | 0.20 ± 0.10 (3) |",
  ]
  assert "what the paper says" in found["score_summary.md"]
  alone = plot_score_summary(_three_versions(), scores=("mig",))["score_summary.md"]
  assert "paper" not in alone


def test_every_model_is_a_point():
  figure = plot_score_summary(_three_versions(), scores=("mig",))["score_summary"]
  drawn = [len(axis.collections) for axis in figure.axes]
  assert drawn == [3, 2]  # strips of β-VAE and of PCL
  heights = figure.axes[0].collections[0].get_offsets()[:, 1]
  np.testing.assert_allclose(heights, [0.1, 0.2, 0.3])


def test_says_whether_settings_are_pooled():
  table = small_study()
  assert "are pooled" in plot_score_summary(table)["score_summary.md"]
  assert (
    "are pooled"
    not in plot_score_summary(select(table, strength=1))["score_summary.md"]
  )


def test_one_model_has_no_deviation():
  table = select(small_study(), strength=1, seed=0)
  lines = plot_score_summary(table, scores=("mig",))["score_summary.md"].split("\n")
  assert "±" not in lines[2] and "(1)" in lines[2]  # the caption has one
