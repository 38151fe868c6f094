import numpy as np
from study_figure_checks import run_figure_test
from study_tables import row_of

from disentangle_tf.studies.analyses import score_fit
from disentangle_tf.studies.figures import plot_score_fit
from disentangle_tf.studies.results_table import one_step, results_table

_OPTIONS = {"over": "GAP", "label": "gap"}


def _table():
  rng = np.random.default_rng(0)
  return results_table(
    row_of(
      "xysquares", method, 0, seed, score, rng.random(), step=step,
      setting=f"BETA={beta}, GAP={gap}",
    )
    for method in ("Ada-GVAE", "beta-VAE")
    for beta in (0.1, 1.0)
    for gap in (1, 2, 3)
    for seed in range(4)
    for score in ("mig", "disentanglement")
    for step in (2_400, 4_800)
  )  # fmt: skip


def test_promises():
  run_figure_test(plot_score_fit, _table(), resamples=10, **_OPTIONS)


def test_curves_and_points_of_the_best_evaluations():
  figure = plot_score_fit(_table(), resamples=10, **_OPTIONS)["score_fit"]
  axis = figure.axes[0]
  fitted = score_fit(one_step(_table(), "best"), over="GAP", resamples=0)["mig"]
  for line, each in zip(axis.get_lines(), fitted.values(), strict=True):
    np.testing.assert_allclose(line.get_ydata(), each.fit.y)
  assert axis.get_xticks().tolist() == [1, 2, 3] and axis.get_xlabel() == "gap"
  assert axis.texts[0].get_text() == "n = 48"
  words = figure.get_supxlabel().replace("\n", " ")
  assert "All other settings are pooled" in words and "Best evaluation" in words


def test_what_of_the_other_settings_is_drawn():
  options = {"which": "last", "resamples": 0, **_OPTIONS}
  best = plot_score_fit(_table(), others="best", **options)["score_fit"]
  words = best.get_supxlabel().replace("\n", " ")
  assert "highest median" in words and "Last evaluation" in words
  assert best.axes[0].texts[0].get_text() == "n = 24"
  others = {"Ada-GVAE": dict.fromkeys((1, 2, 3), "BETA=0.1")}
  chosen = plot_score_fit(_table(), others=others, **options)["score_fit"]
  assert chosen.axes[0].texts[0].get_text() == "n = 12"
