import numpy as np
import pytest

from disentangle_tf.data.sets.dsprites_rendering import SIZES, render_rows


def pixels(shape, scale, orientation, x, y):
  """[64, 64] of 0 and 1."""
  words = render_rows(shape, scale, orientation)[x, y]
  return (words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)


def test_all_positions_at_once():
  words = render_rows(2, 0, 0)
  assert words.shape == (*SIZES[3:], 64) and words.dtype == np.uint64


def test_an_upright_square_is_filled_exactly():
  """Side 2 * 9.6 / 2 around (16, 16): columns and rows with centres in 11.2 to 20.8."""
  expected = np.zeros((64, 64))
  expected[11:21, 11:21] = 1
  np.testing.assert_array_equal(pixels(0, 0, 0, 0, 0), expected)


@pytest.mark.parametrize("orientation", [0, 5, 17])
def test_areas_are_those_of_the_shapes(orientation):
  radius = 9.6
  square, ellipse, heart = (
    pixels(shape, 5, orientation, 15, 15).sum() for shape in range(3)
  )
  assert square == pytest.approx((2 * radius) ** 2, rel=0.05)
  assert ellipse == pytest.approx(np.pi * radius**2, rel=0.05)  # 1.33 r by r / 1.33
  # By Green's theorem x = 16 sin^3 t, y = 13 cos t - ... encloses 180 pi.
  assert heart == pytest.approx(180 * np.pi / 16 / 14.5 * radius**2, rel=0.05)


def test_the_orientations_go_once_around():
  """39 steps are a full circle, so the last orientation equals the first."""
  for shape in range(3):
    first, last = (pixels(shape, 3, turn, 9, 9) for turn in (0, 39))
    assert np.sum(first != last) <= 2  # rounding


def test_the_heart_points_down():
  heart = pixels(2, 5, 0, 15, 15)
  widths = heart.sum(axis=1)
  rows = np.flatnonzero(widths)
  assert widths[rows[-1]] <= 3 < widths[rows[0]]
  np.testing.assert_allclose((heart * np.arange(64)).sum() / heart.sum(), 31, atol=0.6)


def test_x_moves_right_and_y_down():
  start, right, down = (pixels(1, 0, 0, x, y) for x, y in ((0, 0), (31, 0), (0, 31)))
  np.testing.assert_array_equal(np.roll(start, 32, axis=1), right)
  np.testing.assert_array_equal(np.roll(start, 32, axis=0), down)
