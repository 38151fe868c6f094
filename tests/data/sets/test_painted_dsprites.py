import numpy as np
import pytest
import tensorflow as tf
from painted_checks import SEED, draw_points, white_sprites

from disentangle_tf.data.sets.painted_dsprites import PaintedDSprites
from disentangle_tf.random_streams import random_uniform


class GreyDSprites(PaintedDSprites):
  """Sprites that each have one shade of grey."""

  name = "grey_dsprites"

  def paint(self, sprites, seed):
    shade = random_uniform([tf.shape(sprites)[0], 1, 1, 1], seed)
    return tf.repeat(sprites * shade, 3, axis=-1)


class WhiteDSprites(PaintedDSprites):
  name = "white_dsprites"

  def paint(self, sprites, seed):
    return tf.repeat(sprites, 3, axis=-1)


def test_sprites_are_painted_by_the_subclass():
  data = GreyDSprites()
  factors = draw_points(data, 5)
  shade = random_uniform([5, 1, 1, 1], SEED)
  expected = np.repeat(white_sprites(factors) * shade, 3, axis=-1)
  np.testing.assert_allclose(data.observe(factors, SEED), expected, atol=1e-6)


def test_standardisation_is_measured_from_4096_images():
  """The constants of dSprites are not used, although the images are equal."""
  data = WhiteDSprites()
  rng = np.random.default_rng(0)
  points = np.concatenate([data.factors.draw(1024, rng) for _ in range(4)])
  images = white_sprites(points).reshape(4096, -1).astype(np.float64)
  mean, std = data.standardisation()
  assert mean == pytest.approx([images.mean()] * 3)
  assert std == pytest.approx([images.std(axis=1, ddof=1).mean()] * 3)


def test_a_painter_is_needed():
  with pytest.raises(TypeError, match="paint"):
    PaintedDSprites()
