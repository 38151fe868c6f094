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


@pytest.mark.parametrize("bad", [["mig"], "mig", {}])
def test_scores_to_draw_have_titles(bad):
  for plot in (
    plot_score_strips,
    functools.partial(plot_score_curves, over="spacing", label="s"),
  ):
    with pytest.raises(UserError, match=r"scores is .*it must be \{name: title\}"):
      plot([_finished("a", 0.5, spacing=1)], scores=bad)
