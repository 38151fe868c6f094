import math

import numpy as np

from disentangle_tf.data import FashionMNIST


def test_as_published():
  assert math.prod(FashionMNIST.grids[0]) == 70_000
  assert FashionMNIST.observation_shape == (32, 32, 1)


def test_there_is_a_black_margin():
  images = np.full((3, 28, 28, 1), 200, np.uint8)
  padded = FashionMNIST.prepare_images(None, images)
  assert padded.shape == (3, 32, 32, 1)
  assert (padded[:, 2:30, 2:30] == 200).all() and padded.sum() == images.sum()
