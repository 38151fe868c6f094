import numpy as np
from painted_checks import SEED, draw_points, run_painted_test, white_sprites
from scipy import stats

from disentangle_tf.data import ColorDSprites, DSprites


def test_keeps_the_promises_of_a_painted_set():
  run_painted_test(ColorDSprites())


def test_each_channel_is_scaled_uniformly():
  data = ColorDSprites()
  factors = draw_points(data, 500)
  images = data.observe(factors, SEED).numpy()
  colours = images.max(axis=(1, 2))
  expected = white_sprites(factors) * colours[:, None, None]
  np.testing.assert_allclose(images, expected, atol=1e-6)
  assert stats.kstest(colours.ravel(), stats.uniform(0.5, 0.5).cdf).pvalue > 1e-3


def test_standardisation_is_three_quarters_of_white():
  (plain_mean,), (plain_std,) = DSprites().standardisation()
  mean, std = ColorDSprites().standardisation()
  np.testing.assert_allclose(mean, [0.75 * plain_mean] * 3, rtol=0.05)
  np.testing.assert_allclose(std, [0.75 * plain_std] * 3, rtol=0.05)
