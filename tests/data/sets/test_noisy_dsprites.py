import numpy as np
from painted_checks import SEED, draw_points, run_painted_test, white_sprites
from scipy import stats

from disentangle_tf.data import DSprites, NoisyDSprites


def test_keeps_the_promises_of_a_painted_set():
  run_painted_test(NoisyDSprites())


def test_white_sprites_on_uniform_noise():
  data = NoisyDSprites()
  factors = draw_points(data, 20)
  sprite = white_sprites(factors)[..., 0] > 0
  images = data.observe(factors, SEED).numpy()
  assert (images[sprite] == 1).all()
  background = images[~sprite].ravel()[:20_000]
  assert stats.kstest(background, "uniform").pvalue > 1e-3


def test_the_mean_is_half_way_to_white():
  (plain_mean,), _ = DSprites().standardisation()
  mean, _ = NoisyDSprites().standardisation()
  np.testing.assert_allclose(mean, [0.5 + 0.5 * plain_mean] * 3, rtol=0.01)
