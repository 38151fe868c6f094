import functools
import pathlib

import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies import FinishedRun, plot_score_curves, plot_score_strips


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
