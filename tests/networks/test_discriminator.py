import numpy as np

from disentangle_tf import networks


def test_discriminator_of_table_4b():
  discriminator = networks.mlp_discriminator(10)
  dense = 11 * 1000 + 5 * 1001 * 1000 + 1001 * 2
  assert discriminator.count_params() == dense
  assert discriminator.output_shape == (None, 2)


def test_leaks_a_fifth():
  discriminator = networks.mlp_discriminator(1, units=(1,), kernel_initializer="ones")
  np.testing.assert_allclose(
    discriminator(np.array([[2.0], [-2.0]])), [[2, 2], [-0.4, -0.4]], rtol=1e-6
  )
