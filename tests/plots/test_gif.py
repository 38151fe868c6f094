import numpy as np
from figure_checks import read_gif

from disentangle_tf import plots


def test_a_gif_moves_there_and_back():
  frames = np.linspace(0, 1, 4)[:, None, None, None] * np.ones((4, 5, 6, 3))
  shown = read_gif(plots.pictures_to_gif(frames))
  assert shown.shape == (6, 5, 6, 3)
  levels = 255 * shown[:, 0, 0, 0]
  np.testing.assert_allclose(levels, [0, 85, 170, 255, 170, 85])


def test_traversals_move_side_by_side():
  images = np.zeros((2, 3, 64, 64, 1))
  images[0, 1] = images[1, 2] = 1.0
  frames = read_gif(plots.traversals_to_gif(images))
  assert frames.shape == (4, 64 + 2, 2 * 65 + 1, 3)
  left, right = frames[:, 30, 30, 0], frames[:, 30, 65 + 30, 0]
  assert left.tolist() == [0, 1, 0, 1] and right.tolist() == [0, 0, 1, 0]


def test_small_images_are_enlarged():
  assert read_gif(plots.traversals_to_gif(np.zeros((1, 2, 8, 8, 1)))).shape[1] == 66
