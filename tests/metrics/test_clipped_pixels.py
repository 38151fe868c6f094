import numpy as np
import pytest
from metric_checks import check_is_scores

from disentangle_tf import metrics


def test_the_share_of_black_and_white():
  images = np.full((4, 5, 5, 1), 0.5)
  images[:, 0] = 0.0  # 5 of 25
  images[:2, 1, :2] = 1.0  # 2 of 25, in half of the images
  images[3, 2] = [[-0.1], [1.1], [1e-6], [0.999], [2.0]]  # not counted
  found = metrics.clipped_pixels(images, True)
  check_is_scores(found)
  assert found["clipped_pixels"] == pytest.approx(0.2 + 0.5 * 0.08)
  assert metrics.clipped_pixels(images, False) == {"clipped_pixels": 0.0}
