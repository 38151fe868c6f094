import numpy as np

from disentangle_tf.pictures import samples


class CodesAsImages:
  num_latents = 3

  def decode(self, codes):
    return codes[:, None, None, :]


def test_codes_are_standard_normal():
  images = samples(CodesAsImages(), np.random.default_rng(0), rows=2, columns=4)
  expected = np.random.default_rng(0).normal(size=(8, 3))
  assert images.shape == (2, 4, 1, 1, 3)
  np.testing.assert_array_equal(images.reshape(8, 3), expected)
