import dataclasses
import pathlib

import numpy as np
import pytest
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, metrics, models, perceived, plots
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel, write_export
from disentangle_tf.latent_use import latent_use
from disentangle_tf.papers import plot_aggregate_posteriors
from disentangle_tf.papers.locatello import (
  plot_model_groups,
  plot_reconstructions,
  plot_udr,
)
from disentangle_tf.studies import (
  FinishedRun,
  plot_latent_planes,
  plot_levels,
  plot_traversals,
)


@pytest.fixture
def finished(exported):
  scores = [0.3, 0.9, 0.1, 0.5, 0.7]
  return [
    FinishedRun(
      "VAE",
      {"BETA": 4.0},
      seed,
      exported[0],
      {"mig": score, "reconstruction_error": score},
    )
    for seed, score in enumerate(scores)
  ]


def _titles(figure):
  return [axis.get_title().split("\n") for axis in figure["latent_planes"].axes]


def test_best_and_worst_models(finished):
  figure = plot_latent_planes(finished, num_models=2)
  assert _titles(figure) == [
    ["best 1: mig 0.90", "VAE", "BETA = 4.0", "seed 1"],
    ["best 2: mig 0.70", "VAE", "BETA = 4.0", "seed 4"],
    ["worst 1: mig 0.10", "VAE", "BETA = 4.0", "seed 2"],
    ["worst 2: mig 0.30", "VAE", "BETA = 4.0", "seed 0"],
  ]


def test_no_model_twice(finished):
  titles = _titles(plot_latent_planes(finished, num_models=4))
  assert [lines[0] for lines in titles][4:] == ["worst 1: mig 0.10"]
  lower = _titles(
    plot_latent_planes(finished, num_models=1, score="reconstruction_error")
  )
  assert lower[0][0] == "best 1: reconstruction_error 0.10"


def test_latents_of_two_factors(finished):
  figure = plot_latent_planes(finished, num_models=1, factors=["x_R", "y_R"])
  assert "most information about x_R and y_R" in figure["latent_planes"].get_supxlabel()


def test_errors(finished):
  with pytest.raises(UserError, match="no score 'dci'"):
    plot_latent_planes(finished, score="dci")
  with pytest.raises(UserError, match="has no factor 'x'"):
    plot_latent_planes(finished, factors=["x", "y_R"])
  with pytest.raises(UserError, match="it must be two names"):
    plot_latent_planes(finished, factors=["x_R"])


def _finished(run, mig, *, seed=0, export=pathlib.Path(), **settings):
  return FinishedRun(run, settings, seed, export, {"mig": mig, "disentanglement": 0.5})


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


def test_aggregate_posteriors_are_densities(tmp_path, exported):
  networks = tiny_networks(latents=2)
  model = models.BetaVAE(*networks, losses.MSE(), beta=1.0)
  export = write_export(model, tmp_path / "export", data=tiny_data())
  finished = [_finished("a", 0.1, export=export, BETA=beta) for beta in (1, 2)]
  figure = plot_aggregate_posteriors(
    [*finished, finished[0]], limits=(-5.0, 5.0), resolution=101
  )["aggregate_posteriors"]
  assert [axis.get_title() for axis in figure.axes] == ["a\nBETA = 1", "a\nBETA = 2"]
  shown = np.asarray(figure.axes[0].images[0].get_array())
  assert shown.sum() * 0.1**2 == pytest.approx(1, abs=0.02)
  means, log_variances = ExportedModel(export).encode(
    np.concatenate([images for _, images in tiny_data().in_order(64)])
  )
  across = np.linspace(-5, 5, 101)
  second = shown.sum(axis=1) * 0.1  # of the second latent alone
  assert second @ across * 0.1 == pytest.approx(means[:, 1].mean(), abs=0.02)
  spread = np.exp(log_variances[:, 1]).mean() + means[:, 1].var()
  centred = (across - means[:, 1].mean()) ** 2
  assert second @ centred * 0.1 == pytest.approx(spread, rel=0.05)
  with pytest.raises(UserError, match="draws codes of 2 latents"):
    plot_aggregate_posteriors([_finished("b", 0.1, export=exported[0])])


def test_groups_of_models_are_those_of_their_information(exported):
  finished = [_finished(run, 0.1, export=exported[0]) for run in ("a", "a", "b")]
  figure = plot_model_groups(finished, num_points=50, num_bins=5)["independent_groups"]
  assert [axis.get_title() for axis in figure.axes] == ["a", "b"]
  factors = tiny_data().factors.draw(50, np.random.default_rng(0))
  codes, _ = ExportedModel(exported[0]).encode(tiny_data().observe(factors).numpy())
  matrix = metrics.mutual_information_matrix(codes, factors, num_bins=5)
  thresholds = figure.axes[0].get_lines()[0].get_xdata()
  np.testing.assert_allclose(np.sort(thresholds), np.sort(matrix, axis=None))


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


def test_reconstructions_of_one_model_per_run_stand_below_their_images(exported):
  finished = [_finished(run, 0.1, export=exported[0]) for run in ("a", "a", "b")]
  figure = plot_reconstructions(finished, num_images=3)["reconstructions"]
  assert [axis.get_title() for axis in figure.axes] == ["a", "b"]
  points = tiny_data().factors.draw(3, np.random.default_rng(0))
  images = tiny_data().observe(points).numpy()
  both = np.stack([images, ExportedModel(exported[0]).reconstruct(images)])
  shown = np.asarray(figure.axes[0].images[0].get_array())
  np.testing.assert_allclose(shown, plots.image_grid(both), atol=1e-6)


def test_models_that_are_equal_agree_entirely(tmp_path, exported):
  """A setting with one seed is left out."""
  networks = tiny_networks(latents=2)
  model = models.BetaVAE(*networks, losses.MSE(), beta=1.0)
  other = write_export(model, tmp_path / "export", data=tiny_data())
  finished = [
    dataclasses.replace(_finished(run, 0.1, export=export, BETA=1), seed=seed)
    for run, seed, export in (
      *(("a", 0, exported[0]), ("a", 1, exported[0])),
      *(("b", 0, exported[0]), ("b", 1, other), ("c", 0, other)),
    )
  ]
  text = plot_udr(finished, num_points=200, method="spearman")["udr.md"]
  rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ")]
  assert [row[0].strip() for row in rows[1:]] == ["a", "b"]
  codes = [
    ExportedModel(each).encode(
      tiny_data().observe(tiny_data().factors.draw(200, np.random.default_rng(0)))
    )
    for each in (exported[0], other)
  ]
  kl = [latent_use(*each)[0] for each in codes]
  expected = metrics.udr([each[0] for each in codes], method="spearman", kl=kl)["udr"]
  assert float(rows[2][3]) == pytest.approx(expected, abs=5e-4)
  assert float(rows[1][3]) > float(rows[2][3])
  with pytest.raises(UserError, match="no setting has two seeds"):
    plot_udr(finished[-1:])
