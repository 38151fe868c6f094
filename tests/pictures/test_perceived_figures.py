import numpy as np
import pytest
from figure_checks import drawn_matrix, read_gif, row_labels
from shared_checks import tiny_data, tiny_model

from disentangle_tf import plots
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.perceived import perceive
from disentangle_tf.pictures import factor_traversals, perceived_figures

FEW = {"num_pairs": 200, "num_curve_pairs": 200, "num_traversals": 4}
NAMES = ["x_R", "y_R", "x_G", "y_G"]


@pytest.fixture(scope="module")
def found():
  worlds = {"2 px": tiny_data(), "1 px": tiny_data(grid_spacing=1, image_size=5)}
  live = LiveModel(tiny_model())
  return perceive(data=tiny_data(), model=live, others=worlds, **FEW)


@pytest.fixture(scope="module")
def drawn(found):
  moving, *figures = perceived_figures(found)
  return {"moving": moving[1], **dict(figures)}


def test_what_is_drawn(found, drawn):
  assert list(drawn) == [
    *("moving", "factor_traversals", "distance_matrices", "cumulative", "worlds"),
    "levels",
  ]
  alone = perceive(data=tiny_data(), **FEW)
  names = [name for name, _ in perceived_figures(alone)]
  assert names == ["factor_traversals", *list(drawn)[1:4]]


def test_traversals_are_drawn_and_move(found, drawn):
  (axis,) = drawn["factor_traversals"].axes
  assert row_labels(axis) == NAMES
  images = factor_traversals(tiny_data(), found.traversals, columns=4)
  expected = plots.image_grid(images, padding=1)
  np.testing.assert_array_equal(drawn_matrix(axis), expected)
  frames = read_gif(drawn["moving"])
  assert len(frames) == 7  # forwards and back; equal frames are stored as one
  for frame, value in zip(frames, (0, 1, 2, 3, 2, 1, 0), strict=True):
    expected = plots.image_grid(images[None, :, value], scale=8)
    np.testing.assert_allclose(frame, expected, atol=0.03)


def test_matrices_are_true_and_perceived(found, drawn):
  axes = drawn["distance_matrices"].axes
  assert [axis.get_title() for axis in axes[:4]] == NAMES
  assert [axis.get_ylabel() for axis in axes[::4]] == ["ground truth", "perceived"]
  np.testing.assert_array_equal(drawn_matrix(axes[2])[0], [0, 1, 2, 3])
  for axis, matrix in zip(axes[4:], found.matrices, strict=True):
    np.testing.assert_allclose(drawn_matrix(axis), matrix)


def test_curves_and_worlds_and_levels(found, drawn):
  lines = drawn["cumulative"].axes[0].get_lines()
  assert [line.get_label() for line in lines] == ["random", *NAMES]
  np.testing.assert_array_equal(
    lines[0].get_xdata()[1:], np.sort(found.curves["random"])
  )
  worlds = drawn["worlds"].axes
  assert [axis.get_title() for axis in worlds] == ["ground truth", "2 px", "1 px"]
  assert worlds[0].get_ylabel() == "x_R"
  np.testing.assert_allclose(drawn_matrix(worlds[2]), found.worlds["1 px"])
  levels = drawn["levels"].axes
  assert [axis.get_ylabel() for axis in levels[::5]] == NAMES
  expected = found.level_distances["y_R"]["latent means"].mean(axis=0)
  np.testing.assert_allclose(drawn_matrix(levels[7]), expected, rtol=1e-6)
