import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies import FinishedRun, plot_latent_planes


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
