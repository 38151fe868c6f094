import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import row_of, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import score_against_method
from disentangle_tf.studies.figures import (
  plot_score_against_method,
  plot_score_summary,
  plot_score_violins,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import one_step, results_table, select


def _table(methods=("Ada-GVAE", "beta-VAE")):
  rng = np.random.default_rng(0)
  return results_table(
    row_of(
      data, method, 0, seed, score, rng.random(), step=step, setting=f"BETA={beta}"
    )
    for data in ("dsprites", "xysquares")
    for method in methods
    for beta in (0.1, 1.0)
    for seed in range(6)
    for score in ("mig", "disentanglement")
    for step in (2_400, 4_800)
  )


def test_promises():
  run_figure_test(plot_score_violins, _table())


def test_the_best_evaluations_of_all_models():
  table = _table()
  figure = plot_score_violins(table)["score_violins"]
  assert [axis.get_title() for axis in figure.axes] == ["MIG", "DCI disentanglement"]
  axis = figure.axes[0]
  labels = [label.get_text() for label in axis.get_xticklabels()]
  assert labels == ["dSprites", "XYSquares"]
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["Ada-GVAE", "β-VAE"]  # the left half first
  assert [text.get_text() for text in axis.texts] == ["12"] * 4
  assert "Best evaluation" in figure.get_supxlabel().replace("\n", " ")
  best = select(
    one_step(table, "best"), score="mig", data="dsprites", method="Ada-GVAE"
  )
  median = axis.get_lines()[1].get_ydata()[0]
  assert median == pytest.approx(np.median(best["value"]))


def test_methods_whose_labels_say_two_things():
  methods = ("beta-VAE, MSE", "beta-VAE, box blur")
  names = {method: tuple(method.split(", ")) for method in methods}
  figure = plot_score_violins(_table(methods), names=names)["score_violins"]
  labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
  assert labels == ["β-VAE"]
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["MSE", "box blur"]
  with pytest.raises(UserError, match="names has no method 'beta-VAE, box blur'"):
    plot_score_violins(_table(methods), names={methods[0]: ("a", "b")})
  with pytest.raises(UserError, match="two halves, not a, b, c"):
    plot_score_violins(_table(("a", "b", "c")))


_TWO = ("mig", "sap")


def test_plot_score_against_method_promises():
  run_figure_test(plot_score_against_method, scores=_TWO)


def test_medians_and_models():
  table = small_study()
  medians, models = plot_score_against_method(table, scores=_TWO).values()
  assert len(medians.axes) == len(models.axes) == 3 * 2
  assert medians.axes[0].texts[0].get_text() == "n = 12"
  assert models.axes[0].texts[0].get_text() == "n = 36"
  values = score_against_method(table, scores=_TWO)["dsprites", "mig"]["beta-VAE"]
  points = medians.axes[0].collections[0].get_offsets()[:, 1]
  assert points.tolist() == values.tolist()
  assert medians.axes[0].get_ylabel() == "dSprites"
  assert medians.axes[0].get_title() == "MIG"


def _three_versions():
  """0.1, 0.2, 0.3 of two methods on three versions of a set, but one cell."""
  values = np.full((1, 3, 2, 1, 3), [0.1, 0.2, 0.3])
  values[0, 1, 0] = np.nan
  return table_of(
    values, data=["noise", "original", "modified"], methods=["PCL", "beta-VAE"]
  )


def test_plot_score_summary_promises():
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
