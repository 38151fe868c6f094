import numpy as np

from disentangle_tf.pictures import latent_traversal, traversal_values


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


def test_one_image_of_one_latent():
  shown = latent_traversal(lambda codes: codes, [1.0], num_values=3, limit=2.0)
  np.testing.assert_array_equal(shown, [[[-2], [0], [2]]])
