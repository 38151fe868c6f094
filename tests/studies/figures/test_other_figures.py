"""Figures of the other papers and of the extended study."""

import numpy as np
import pytest
from study_tables import made_up_study, row_of, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies import analyses, figures
from disentangle_tf.studies.results_table import ResultsTable


def _michlo(methods=("Ada-GVAE", "beta-VAE")):
  rng = np.random.default_rng(0)
  return ResultsTable.from_rows(
    row_of(
      data, method, 0, seed, score, rng.random(), step=step,
      setting=f"BETA={beta}, GAP={gap}",
    )
    for data in ("dsprites", "xysquares")
    for method in methods
    for beta in (0.1, 1.0)
    for gap in (1, 2, 3)
    for seed in range(2)
    for score in ("mig", "disentanglement")
    for step in (2_400, 4_800)
  )  # fmt: skip


def test_violins_of_the_best_evaluations():
  table = _michlo()
  figure = figures.plot_score_violins(table)["score_violins"]
  assert [axis.get_title() for axis in figure.axes] == ["MIG", "DCI disentanglement"]
  labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
  assert labels == ["dSprites", "XYSquares"]
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["Ada-GVAE", "β-VAE"]  # the left half first
  assert [text.get_text() for text in figure.axes[0].texts] == ["12"] * 4
  assert "Best evaluation" in figure.get_supxlabel()
  best = table.which("best").select(score="mig", data="dsprites", method="Ada-GVAE")
  median = figure.axes[0].get_lines()[1].get_ydata()[0]
  assert median == pytest.approx(np.median(best.column("value")))


def test_violins_of_methods_whose_labels_say_two_things():
  methods = ("beta-VAE, MSE", "beta-VAE, box blur")
  names = {method: tuple(method.split(", ")) for method in methods}
  figure = figures.plot_score_violins(_michlo(methods), names=names)["score_violins"]
  labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
  assert labels == ["β-VAE"]
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["MSE", "box blur"]
  with pytest.raises(UserError, match="names has no method 'beta-VAE, box blur'"):
    figures.plot_score_violins(_michlo(methods), names={methods[0]: ("a", "b")})
  with pytest.raises(UserError, match="two halves, not a, b, c"):
    figures.plot_score_violins(_michlo(("a", "b", "c")))


def test_fits():
  table = _michlo()
  figure = figures.plot_score_fit(table, over="GAP", label="gap", resamples=10)[
    "score_fit"
  ]
  axis = figure.axes[0]
  fitted = analyses.score_fit(table.which("best"), over="GAP", resamples=0)["mig"]
  for line, each in zip(axis.get_lines(), fitted.values(), strict=True):
    np.testing.assert_allclose(line.get_ydata(), each.fit.y)
  assert axis.get_xticks().tolist() == [1, 2, 3] and axis.get_xlabel() == "gap"
  assert axis.texts[0].get_text() == "n = 48"
  words = figure.get_supxlabel().replace("\n", " ")
  assert "All other settings are pooled" in words and "Best evaluation" in words
  last = figures.plot_score_fit(
    table, over="GAP", label="gap", which="last", others="best", resamples=0
  )["score_fit"]
  assert "highest median" in last.get_supxlabel().replace("\n", " ")


def test_mean_intervals():
  table = made_up_study(num_strengths=3, num_seeds=3)
  scores = ("sap", "kl")
  figure = figures.plot_mean_intervals(table, scores=scores, over="BETA", label="β")[
    "mean_intervals"
  ]
  curves = analyses.mean_intervals(table, scores=scores, over="BETA")
  axis = figure.axes[1]
  assert axis.get_title() == "KL" and figure.axes[-1].get_xlabel() == "β"
  for line, curve in zip(
    axis.get_lines(), curves["dsprites", "kl"].values(), strict=True
  ):
    np.testing.assert_array_equal(line.get_xdata(), [1, 2, 4])
    np.testing.assert_array_equal(line.get_ydata(), curve.y)
  assert axis.texts[0].get_text() == "n = 54"


def test_trade_off():
  table = made_up_study(num_strengths=2, num_seeds=3)
  figure = figures.plot_trade_off(table, over="BETA")["trade_off"]
  axis = figure.axes[0]
  texts = [text.get_text() for text in axis.texts]
  assert texts[:2] == ["1", "2"] and texts[-1] == "n = 36"
  assert axis.get_title() == "dSprites" and figure.get_supylabel() == "FactorVAE score"
  assert "values of BETA" in figure.get_supxlabel()


def _noise():
  rng = np.random.default_rng(0)
  models = rng.normal(size=(1, 2, 2, 3, 5))
  names = ["repeat_0_mig", "repeat_1_mig", "points_10_mig", "points_100_mig"]
  names += ["importance_dci", "information_mig"]
  return table_of(models + 0.1 * rng.normal(size=(6, 2, 2, 3, 5)), scores=names)


def test_evaluation_noise():
  found = figures.plot_evaluation_noise(_noise())
  ratios, agreement = analyses.evaluation_noise(
    _noise(), {"mig": ["repeat_0_mig", "repeat_1_mig"]}
  )
  for figure, panel in zip(found.values(), (ratios, agreement), strict=True):
    image = figure.axes[0].images[0]
    np.testing.assert_allclose(image.get_array(), panel.values)
  with pytest.raises(UserError, match="taken twice or more"):
    figures.plot_evaluation_noise(_noise().select(score="repeat_0_mig"))


def test_metric_sample_efficiency():
  found = figures.plot_metric_sample_efficiency(_noise(), resamples=10)
  assert list(found) == ["metric_sample_efficiency", "metric_sample_bias"]
  axis = found["metric_sample_efficiency"].axes[0]
  assert axis.get_xscale() == "log" and axis.get_lines()[0].get_xdata().tolist() == [10]
  with pytest.raises(UserError, match="two numbers of points or more"):
    figures.plot_metric_sample_efficiency(_noise().select(score="points_10_mig"))


def test_unified_scores():
  figure = figures.plot_unified_scores(_noise())["unified_scores"]
  labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
  assert labels == ["DCI (importance)", "MIG (information)"]
  assert figure.axes[0].images[0].get_array().shape == (2, 2)


def test_independent_groups():
  figure = figures.plot_independent_groups({"eye": np.eye(3), "ones": np.ones((2, 3))})
  first, second = figure["independent_groups"].axes
  assert first.get_title() == "eye" and set(first.get_lines()[0].get_ydata()) == {3}
  assert set(second.get_lines()[0].get_ydata()) == {1}
  assert first.texts[0].get_text() == "area 3.00, most 3"
