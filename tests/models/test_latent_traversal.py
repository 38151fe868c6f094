import numpy as np

from disentangle_tf.models.latent_traversal import (
  dead_latents,
  latent_traversal,
  latent_use,
  most_used_first,
  traversal_values,
)


def test_moves_one_latent_at_a_time():
  def decode(codes):
    return codes[:, None, None, :]  # a code is its own image

  images = latent_traversal(decode, [5.0, 6.0], num_values=3, limit=2.0)
  np.testing.assert_array_equal(
    images[:, :, 0, 0],
    [[[-2, 6], [0, 6], [2, 6]], [[5, -2], [5, 0], [5, 2]]],
  )


def test_nine_values_from_minus_2_to_2_by_default():
  images = latent_traversal(lambda codes: codes, [0.0])
  np.testing.assert_allclose(images[0, :, 0], np.linspace(-2, 2, 9))
  assert traversal_values("prior", np.zeros((2, 3))).shape == (3, 9)


def test_values_of_each_kind():
  codes = np.random.default_rng(0).normal([1.0, -2.0], [3.0, 0.5], size=(50_000, 2))
  prior = traversal_values("prior", codes, 5)
  np.testing.assert_allclose(prior[0], [-1.96, -0.6357, 0, 0.6357, 1.96], atol=1e-3)
  np.testing.assert_array_equal(prior[0], prior[1])
  fitted = traversal_values("fitted", codes, 5)
  np.testing.assert_allclose(fitted[0], 1 + 3 * prior[0], atol=0.1)
  np.testing.assert_allclose(fitted[1], -2 + 0.5 * prior[1], atol=0.02)
  ends = traversal_values("range", codes, 5)
  np.testing.assert_allclose(ends[:, [0, -1]].T, [codes.min(axis=0), codes.max(axis=0)])


def test_given_values_are_taken():
  values = np.array([[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]])
  shown = latent_traversal(lambda codes: codes, [1.0, 2.0], values=values)
  np.testing.assert_array_equal(shown[0], [[5, 2], [6, 2], [7, 2]])
  np.testing.assert_array_equal(shown[1], [[1, 8], [1, 9], [1, 10]])


def test_the_most_used_latent_is_first():
  codes = np.random.default_rng(0).normal(0, [0.1, 2.0, 1.0], size=(500, 3))
  assert most_used_first(codes, None).tolist() == [1, 2, 0]
  # Small spreads make a latent informative, however near its means are.
  log_variances = np.tile([-9.0, 0.0, 0.0], (500, 1))
  assert most_used_first(codes, log_variances).tolist() == [0, 1, 2]


def test_dead_latents():
  rng = np.random.default_rng(0)
  codes = rng.normal(size=(500, 4)) * [1.0, 0.02, 0.2, 0.0]
  # KL: about 0.8, 0.0002, 0.02 and 0.0.
  log_variances = np.tile(np.log([0.1, 1.0, 1.0, 1.0]), (500, 1))
  assert dead_latents(codes, log_variances).tolist() == [False, True, False, True]
  # Without log-variances only the spread is known, as of deterministic encoders.
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


def test_one_image_of_one_latent():
  shown = latent_traversal(lambda codes: codes, [1.0], num_values=3, limit=2.0)
  np.testing.assert_array_equal(shown, [[[-2], [0], [2]]])
