import numpy as np

from disentangle_tf.models.latent_traversal import latent_traversal


def test_moves_one_latent_at_a_time():
  def decode(codes):
    return codes[:, None, None, :]  # a code is its own image

  images = latent_traversal(decode, [5.0, 6.0], num_values=3, limit=2.0)
  np.testing.assert_array_equal(
    images[:, :, 0, 0],
    [[[-2, 6], [0, 6], [2, 6]], [[5, -2], [5, 0], [5, 2]]],
  )
