"""Figures of studies show the numbers that they are made of."""

import functools
import pathlib

import numpy as np
import pytest
from shared_checks import tiny_data, tiny_model

from disentangle_tf import losses, perceived
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel, write_export
from disentangle_tf.studies import (
  FinishedRun,
  plot_levels,
  plot_score_curves,
  plot_score_strips,
  plot_traversals,
)


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


def test_levels_of_each_run_under_its_loss(exported, tmp_path, capsys):
  blur = losses.Overlap(losses.MSE(), losses.box_kernel(2), alpha=25)
  model = tiny_model(reconstruction=blur)  # the same weights
  blurred = write_export(model, tmp_path / "export", data=tiny_data())
  exports = (("blur", blurred), ("MSE", exported[0]), ("MSE", exported[0]))
  finished = [_finished(run, 0.1, export=export) for run, export in exports]
  name = tiny_data().factors.names[1]
  figure = plot_levels(finished, factors=[name], num_traversals=2)["levels"]
  assert "MSE" not in capsys.readouterr().out  # each has told its loss
  assert [axis.get_ylabel() for axis in figure.axes[::5]] == ["blur", "MSE"]
  for row, loss in enumerate((blur, losses.MSE())):
    model = ExportedModel(exported[0])
    expected = perceived.level_distances(
      tiny_data(), loss, model, factors=[name], num_traversals=2
    )[name]
    for axis, stack in zip(figure.axes[5 * row :], expected.values(), strict=False):
      shown = axis.images[0].get_array()
      np.testing.assert_allclose(shown, stack.mean(axis=0), rtol=1e-6)
  with pytest.raises(UserError, match="has no factor 'colour'"):
    plot_levels(finished, factors=["colour"])


def test_the_kl_between_posteriors_may_go_one_way(exported):
  finished = [_finished("a", 0.1, export=exported[0])]
  name, model = tiny_data().factors.names[0], ExportedModel(exported[0])
  options = {"factors": [name], "num_traversals": 2, "symmetric": False}
  figure = plot_levels(finished, **options)["levels"]
  levels = perceived.level_distances(tiny_data(), losses.MSE(), model, **options)
  place = list(levels[name]).index("posterior KL")
  shown = figure.axes[place].images[0].get_array()
  np.testing.assert_allclose(
    shown, levels[name]["posterior KL"].mean(axis=0), rtol=1e-6
  )
  assert np.abs(shown - shown.T).max() > 1e-4


def test_levels_of_one_run_have_one_row_per_factor(exported):
  figure = plot_levels([_finished("a", 0.1, export=exported[0])], num_traversals=1)
  names = [axis.get_ylabel() for axis in figure["levels"].axes[::5]]
  assert names == list(tiny_data().factors.names)


def test_traversals_start_with_the_latent_that_is_used_most(exported):
  folder, model = exported
  finished = [_finished("a b", 0.1, export=folder)]
  figure = plot_traversals(finished, num_latents=2)["traversals_a_b"]
  points = tiny_data().factors.draw(512, np.random.default_rng(0))
  posterior = model.encode(tiny_data().observe(points))
  mean, std = posterior.mean().numpy(), posterior.stddev().numpy()
  kl = 0.5 * (mean**2 + std**2 - 1 - 2 * np.log(std)).mean(axis=0)
  labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
  assert labels == [f"latent {latent}" for latent in np.argsort(-kl)[:2]]
