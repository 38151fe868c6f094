import functools
import pathlib

import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import row_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies import FinishedRun, plot_score_curves, plot_score_strips
from disentangle_tf.studies.analyses import mean_intervals, trade_off
from disentangle_tf.studies.figures import (
  plot_mean_intervals,
  plot_score_against_strength,
  plot_trade_off,
)
from disentangle_tf.studies.results_table import results_table

_TWO = ("mig", "sap")


def test_promises():
  run_figure_test(plot_score_against_strength, scores=_TWO)


def test_one_line_per_method():
  figure = plot_score_against_strength(small_study(), scores=_TWO)[
    "score_against_strength"
  ]
  assert len(figure.axes) == 6 and len(figure.axes[0].get_lines()) == 6
  assert figure.axes[0].get_ylabel() == "dSprites"
  assert figure.axes[0].texts[0].get_text() == "n = 36"


@pytest.mark.parametrize(("which", "value"), [("best", 0.2), ("last", 0.05)])
def test_best_and_last_evaluations(which, value):
  table = results_table(
    row_of("a", "m", 0, seed, "mig", step / 10 if step < 3 else 0.05, step=step)
    for seed in range(3)
    for step in (1, 2, 3)
  )
  (figure,) = plot_score_against_strength(table, which=which).values()
  assert figure.axes[0].get_lines()[0].get_ydata().tolist() == [value]
  words = figure.get_supxlabel().replace("\n", " ")
  assert f"{which.capitalize()} evaluation" in words


_SCORES = ("sap", "kl")


def test_plot_mean_intervals_promises():
  run_figure_test(functools.partial(plot_mean_intervals, scores=_SCORES))


def test_means_over_a_setting():
  table = small_study()
  figure = plot_mean_intervals(table, scores=_SCORES, over="BETA", label="β")[
    "mean_intervals"
  ]
  curves = mean_intervals(table, scores=_SCORES, over="BETA")["dsprites", "kl"]
  axis = figure.axes[1]
  assert axis.get_title() == "KL" and figure.axes[-1].get_xlabel() == "β"
  for line, curve in zip(axis.get_lines(), curves.values(), strict=True):
    np.testing.assert_array_equal(line.get_xdata(), [1, 2])
    np.testing.assert_array_equal(line.get_ydata(), curve.y)
  assert len(axis.collections) == 6  # bands
  assert axis.texts[0].get_text() == "n = 36"


def test_plot_trade_off_promises():
  run_figure_test(plot_trade_off)


def test_labelled_points_of_means():
  table = small_study()
  figure = plot_trade_off(table, over="BETA")["trade_off"]
  axis = figure.axes[0]
  texts = [text.get_text() for text in axis.texts]
  assert texts[:2] == ["1", "2"] and texts[-1] == "n = 36"
  assert axis.get_title() == "dSprites" and figure.get_supylabel() == "FactorVAE score"
  assert "values of BETA" in figure.get_supxlabel().replace("\n", " ")
  found = trade_off(table, x="reconstruction_nats", y="factor_vae_eval_accuracy")
  curve = found["dsprites"]["beta-VAE"]
  points = axis.get_lines()[0].get_xydata()
  np.testing.assert_array_equal(points, np.stack([curve.x, curve.y], axis=1))


def _finished(run, mig, *, seed=0, export=pathlib.Path(), **settings):
  return FinishedRun(run, settings, seed, export, {"mig": mig, "disentanglement": 0.5})


def test_curves_show_the_best_of_other_settings():
  finished = [
    _finished("a", mig, seed=seed, spacing=spacing, BETA=beta)
    for spacing, beta, migs in [
      (1, 0.1, [0.6, 0.7, 0.1]),  # the highest median
      (1, 1.0, [0.9, 0.0, 0.5]),
      (2, 0.1, [0.0, 0.0, 0.0]),
      (2, 1.0, [0.2, 0.3, 0.4]),
    ]
    for seed, mig in enumerate(migs)
  ]
  figure = plot_score_curves(finished, over="spacing", label="s")["score_curves"]
  mig, dci = figure.axes
  assert mig.get_title() == "MIG" and dci.get_title() == "DCI disentanglement"
  np.testing.assert_array_equal(mig.lines[0].get_xydata(), [[1, 0.6], [2, 0.3]])
  points = np.concatenate([points.get_offsets() for points in mig.collections])
  assert sorted(points[:, 1]) == [0.1, 0.2, 0.3, 0.4, 0.6, 0.7]
  with pytest.raises(UserError, match="BETTA was not swept"):
    plot_score_curves(finished, over="BETTA", label="b")


def test_strips_show_every_score_at_the_best_setting():
  finished = [
    _finished("a", 0.1, BETA=1),
    _finished("a", 0.3, seed=1, BETA=1),
    _finished("a", 0.15, BETA=2),
    _finished("b", 0.8, BETA=1),
  ]
  axis = plot_score_strips(finished)["score_strips"].axes[0]
  shown = [sorted(points.get_offsets()[:, 1]) for points in axis.collections]
  assert shown == [[0.1, 0.3], [0.8]]
  assert [text.get_text() for text in axis.texts] == ["0.20", "0.80"]
  with pytest.raises(UserError, match="no score 'sap'"):
    plot_score_strips(finished, scores={"sap": "SAP"})


def test_the_best_of_a_score_that_is_better_when_lower_is_the_lowest():
  finished = [
    FinishedRun("a", {"S": spacing, "BETA": beta}, seed, None, {"kl": kl, "mig": 0.1})
    for spacing in (1, 2)
    for beta, kls in ((0.1, [8.0, 9.0, 1.0]), (1.0, [5.0, 7.0, 6.0]))
    for seed, kl in enumerate(kls)
  ]
  scores = {"kl": "KL"}
  curves = plot_score_curves(finished, over="S", label="s", scores=scores)
  line = curves["score_curves"].axes[0].lines[0].get_xydata()
  np.testing.assert_array_equal(line, [[1, 6.0], [2, 6.0]])
  axis = plot_score_strips(finished, scores=scores)["score_strips"].axes[0]
  assert [text.get_text() for text in axis.texts] == ["6.00"]


def test_a_run_without_the_setting_has_no_place_on_the_axis():
  finished = [_finished("a", 0.1, S=1), _finished("b", 0.2, BETA=1)]
  with pytest.raises(UserError, match="b: S was not swept"):
    plot_score_curves(finished, over="S", label="s")


@pytest.mark.parametrize("bad", [["mig"], "mig", {}])
def test_scores_to_draw_have_titles(bad):
  for plot in (
    plot_score_strips,
    functools.partial(plot_score_curves, over="spacing", label="s"),
  ):
    with pytest.raises(UserError, match=r"scores is .*it must be \{name: title\}"):
      plot([_finished("a", 0.5, spacing=1)], scores=bad)
