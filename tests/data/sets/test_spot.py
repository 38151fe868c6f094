import numpy as np
import pytest
from shared_checks import run_dataset_test

from disentangle_tf.data import Spot


def test_keeps_the_promises_of_a_data_set():
  run_dataset_test(Spot())
  assert len(Spot()) == 169 and Spot().factors.names == ("x", "y")


def test_a_pixel_by_hand():
  """x = 4 + 7 * 3 / 12 = 5.75, y = 11: column 8 of row 10."""
  image = Spot().observe([[3, 12]]).numpy()[0]
  expected = 0.2 + 0.6 * np.exp(-(2.25**2) / 32 - 1 / 18)
  assert image[10, 8, 0] == pytest.approx(expected, abs=1e-6)


def test_y_changes_more_than_x():
  """Variances of 1.56 along x and 2.61 along y, of 3.86 in all."""
  images = next(Spot().in_order(169))[1].reshape(13, 13, -1)
  assert images.var(axis=0).mean(axis=0).sum() == pytest.approx(1.56, abs=0.01)
  assert images.var(axis=1).mean(axis=0).sum() == pytest.approx(2.61, abs=0.01)
  assert images.reshape(169, -1).var(axis=0).sum() == pytest.approx(3.86, abs=0.01)
  assert images.min() >= 0.2 and images.max() <= 0.8
