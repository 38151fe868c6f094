import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import FactorTable, Pinwheel
from disentangle_tf.errors import UserError
from disentangle_tf.pictures import check_drawable, has_images


def test_images_are_drawn_and_points_are_not():
  assert has_images(tiny_data()) and not has_images(Pinwheel())
  check_drawable(tiny_data(), distances=True)
  with pytest.raises(UserError, match="pinwheel has no images"):
    check_drawable(Pinwheel())


@pytest.mark.parametrize("values", [256, 257])
def test_distances_between_very_many_values_are_not_drawn(values):
  images = np.zeros((values, 2, 2, 1), np.float32)
  data = FactorTable(images, np.arange(values)[:, None], names=["time"])
  check_drawable(data)
  if values == 256:
    check_drawable(data, distances=True)
    return
  with pytest.raises(UserError, match="time has 257 values, more than 256"):
    check_drawable(data, distances=True)
