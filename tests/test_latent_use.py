import numpy as np

from disentangle_tf.latent_use import (
  dead_latents,
  is_deterministic,
  latent_use,
  most_used_first,
)


def test_the_most_used_latent_is_first():
  codes = np.random.default_rng(0).normal(0, [0.1, 2.0, 1.0], size=(500, 3))
  assert most_used_first(codes, None).tolist() == [1, 2, 0]
  # Small posterior variances make a latent informative, even if its means are close.
  log_variances = np.tile([-9.0, 0.0, 0.0], (500, 1))
  assert most_used_first(codes, log_variances).tolist() == [0, 1, 2]


def test_dead_latents():
  rng = np.random.default_rng(0)
  codes = rng.normal(size=(500, 4)) * [1.0, 0.02, 0.2, 0.0]
  # KL: about 0.8, 0.0002, 0.02 and 0.0.
  log_variances = np.tile(np.log([0.1, 1.0, 1.0, 1.0]), (500, 1))
  assert dead_latents(codes, log_variances).tolist() == [False, True, False, True]
  # Without log-variances, or with a deterministic encoder, use is the spread.
  for unknown in (None, np.full_like(codes, -87.3)):
    assert dead_latents(codes, unknown).tolist() == [False, False, False, True]
    assert dead_latents(1e-3 * codes, unknown).tolist() == [False, False, False, True]
    assert most_used_first(codes, unknown).tolist() == [0, 2, 1, 3]


def test_the_order_is_that_of_the_kl():
  rng = np.random.default_rng(0)
  codes = rng.normal(rng.normal(0, 1.5, 30), 0.5, (200, 30))
  log_variances = rng.normal(rng.normal(0, 1.5, 30), 0.3, (200, 30))
  scales = np.exp(0.5 * log_variances)
  kl = 0.5 * (codes**2 + scales**2 - 1) - np.log(scales)
  np.testing.assert_array_equal(
    most_used_first(codes, log_variances), np.argsort(-kl.mean(axis=0))
  )


def test_a_latent_is_dead_below_a_hundredth_of_a_nat():
  # The KL of a mean m with a spread of 1 is m² / 2.
  means = np.sqrt(2 * np.array([0.0099, 0.0101, 0.019, 0.021]))
  codes = np.tile(means, (10, 1))
  dead = dead_latents(codes, np.zeros_like(codes))
  assert dead.tolist() == [True, False, False, False]
  use, least = latent_use(codes, np.zeros_like(codes))
  np.testing.assert_allclose(use, means**2 / 2)
  assert least == 0.01


def test_exports_of_deterministic_encoders_are_recognised():
  log_variances = np.full((4, 3), np.log(np.finfo(np.float32).tiny))
  assert is_deterministic(log_variances)
  log_variances[2, 1] = -79.0  # one larger log-variance is enough
  assert not is_deterministic(log_variances)
