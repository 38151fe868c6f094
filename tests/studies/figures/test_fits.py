import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import row_of, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import score_fit
from disentangle_tf.studies.figures import plot_score_against_weight, plot_score_fit
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


_WEIGHTS = {"beta-VAE": ("BETA", 2.0)}


def _pruned_study():
  """Five seeds at BETA 1, 2; on the second set 2 and all of them are over-pruned."""
  mig = np.broadcast_to(np.arange(5.0) / 10, (2, 1, 2, 5))
  active = np.full_like(mig, 6.0)
  active[1, 0, 0, :2], active[1, 0, 1] = 5.0, 4.0
  return table_of(
    np.stack([mig, active]),
    scores=("mig", "active_latents_by_variance"),
    data=["original", "modified"],
    methods=["beta-VAE"],
  )


def _figure(table, **options):
  return plot_score_against_weight(table, **options)["score_against_weight"]


def test_plot_score_against_weight_promises():
  run_figure_test(plot_score_against_weight, scores=("mig", "sap"))


def test_models_with_too_little_of_a_score_are_left_out_and_counted():
  figure = _figure(
    _pruned_study(),
    weights=_WEIGHTS,
    at_least={"active_latents_by_variance": 6},
    scores=("mig",),
  )
  (axis,) = figure.axes
  original, modified = axis.get_lines()
  np.testing.assert_allclose(original.get_xydata(), [[0.5, 0.2], [1.0, 0.2]])
  np.testing.assert_allclose(modified.get_xydata(), [[0.5, 0.3]])
  texts = [text.get_text() for text in axis.texts]
  assert texts == ["", "", "3/5", "original 10, modified 3 of 10"]
  words = figure.get_supxlabel().replace("\n", " ")
  assert "7 models are left out (active latents below 6)" in words
  assert axis.get_xscale() == "log" and axis.get_xlabel() == "scaled weight"
  assert [tick.get_text() for tick in axis.get_xticklabels()] == ["0.5", "1"]


def test_draws_though_all_are_left_out():
  at_least = {"active_latents_by_variance": 7}
  figure = _figure(_pruned_study(), at_least=at_least, scores=("mig",))
  assert figure.axes[0].texts[-1].get_text() == "original 0 of 10, modified 0 of 10"


def test_all_models_by_default():
  figure = _figure(_pruned_study(), scores=("mig",))
  (axis,) = figure.axes
  assert axis.texts[-1].get_text() == "original 10, modified 10"
  assert "left out" not in figure.get_supxlabel()
  assert axis.get_xlabel() == "strength" and axis.get_xscale() == "linear"


def test_errors():
  table = small_study()
  with pytest.raises(UserError, match="needs one of active; the table has"):
    _figure(table, at_least={"active": 3})
  with pytest.raises(UserError, match="at_least is 3: it must be"):
    _figure(table, at_least=3)
  with pytest.raises(UserError, match="at_least.mig is '5': it must be a number"):
    _figure(table, at_least={"mig": "5"})
  with pytest.raises(UserError, match="weights names no method"):
    _figure(table, weights={"VAE": ("BETA", 1.0)})
