import numpy as np
import pytest
from figure_checks import drawn_matrix

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.pictures import (
  latent_plane,
  latent_plane_figure,
  plane_latents,
  traversal_values,
)


def _decode(codes):
  """Images of one pixel, whose channels are the code."""
  return codes[:, None, None, :]


def test_one_latent_moves_across_and_the_other_upwards():
  values = np.array([[0.0, 1.0, 2.0], [7.0, 8.0, 9.0], [-1.0, 0.0, 1.0]])
  images = latent_plane(_decode, [5.0, 5.0, 5.0], (2, 0), values=values)
  assert images.shape == (3, 3, 1, 1, 3)
  np.testing.assert_array_equal(images[:, 0, 0, 0, 0], [2, 1, 0])  # highest first
  np.testing.assert_array_equal(images[1, :, 0, 0, 2], [-1, 0, 1])
  assert (images[..., 1] == 5).all()


def test_the_latents_of_least_variance():
  codes = np.random.default_rng(0).normal(size=(50, 3))
  log_variances = np.tile(np.log([0.5, 0.9, 0.1]), (50, 1))
  assert plane_latents(codes, log_variances) == (2, 0)
  spread = codes * [1, 5, 3]
  assert plane_latents(spread, None) == (1, 2)
  assert plane_latents(spread, np.full((50, 3), -87.3)) == (1, 2)  # no noise
  with pytest.raises(UserError, match="the model has one"):
    plane_latents(codes[:, :1], None)


def test_the_latents_that_know_two_factors():
  factors = np.random.default_rng(0).integers(0, 8, size=(500, 2))
  noise = np.random.default_rng(1).normal(size=(500, 2))
  codes = np.stack([noise[:, 0], factors[:, 1], noise[:, 1], -factors[:, 0]], axis=1)
  assert plane_latents(codes, None, factors) == (3, 1)
  both = np.stack([factors.sum(axis=1), factors[:, 0], noise[:, 0]], axis=1)
  assert plane_latents(both, None, factors) == (1, 0)  # one for each


def _latent_plane_figure_decode(codes):
  return np.clip(codes[:, None, None, :], 0, 1) * np.ones((1, 4, 4, 1))


def test_a_panel_for_each_model():
  codes = np.random.default_rng(0).random((20, 3))
  planes = {
    "a": (_latent_plane_figure_decode, codes, (0, 2)),
    "b": (_latent_plane_figure_decode, codes, (1, 0)),
  }
  figure = latent_plane_figure(planes, caption="words")
  first, second = figure.axes
  assert [axis.get_title() for axis in figure.axes] == ["a", "b"]
  assert (first.get_xlabel(), first.get_ylabel()) == ("latent 0 →", "latent 2 →")
  assert (second.get_xlabel(), second.get_ylabel()) == ("latent 1 →", "latent 0 →")
  values = traversal_values("range", codes, 7)
  expected = latent_plane(_latent_plane_figure_decode, codes[0], (1, 0), values=values)
  np.testing.assert_allclose(drawn_matrix(second), plots.image_grid(expected))
  assert figure.get_supxlabel() == "words"
