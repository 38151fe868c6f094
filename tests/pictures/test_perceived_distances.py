import json

import numpy as np
import pytest
from figure_checks import (
  assert_shows,
  assert_shows_scale,
  drawn_matrix,
  read_gif,
  row_labels,
)
from shared_checks import tiny_data, tiny_model

from disentangle_tf import plots
from disentangle_tf.data import FactorTable
from disentangle_tf.errors import UserError
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.perceived import perceive
from disentangle_tf.perceived.traversals import draw_traversals
from disentangle_tf.pictures import (
  factor_traversals,
  levels_figure,
  perceived_figures,
  write_perceived,
)


def _drawn(data, **options):
  points = draw_traversals(data.factors, np.random.default_rng(0))
  return factor_traversals(data, points, **options)


def test_through_the_middle_by_default():
  data = tiny_data(num_squares=1)
  shown = factor_traversals(data, columns=5)
  assert shown.shape == (2, 5, 8, 8, 3)

  def colours(points):
    return plots.to_rgb(data.observe(points).numpy())

  np.testing.assert_array_equal(shown[0, :4], colours([[i, 2] for i in range(4)]))
  np.testing.assert_array_equal(shown[1, :4], colours([[2, i] for i in range(4)]))
  np.testing.assert_array_equal(shown[:, 4], np.ones((2, 8, 8, 3)))
  thinned = factor_traversals(data, columns=2)
  np.testing.assert_array_equal(thinned[0], colours([[0, 2], [3, 2]]))


def test_one_factor_changes_at_a_time():
  images = _drawn(tiny_data(), columns=4)
  assert images.shape == (4, 4, 8, 8, 3)
  assert (np.ptp(images[0, :4], axis=0)[..., 1] == 0).all()  # green stays
  assert (np.ptp(images[0, :4], axis=0)[..., 0] > 0).any()


def test_short_traversals_are_filled_or_end_in_white():
  still = _drawn(tiny_data(), columns=4)
  moving = _drawn(tiny_data(), columns=7, fill=True)
  np.testing.assert_array_equal(moving[:, ::2], still)
  table = np.arange(5 * 4 * 4 * 2, dtype=np.float32).reshape(10, 4, 4, 1) / 200
  grid = np.stack([np.repeat(np.arange(5), 2), np.tile(np.arange(2), 5)], axis=1)
  few = _drawn(FactorTable(table, grid), columns=5)
  assert few.shape == (2, 5, 4, 4, 3)
  assert (few[1, 2:] == 1).all() and (few[0] < 1).all()  # after two values, white


def test_missing_combinations_are_left_out():
  images = np.linspace(0, 0.9, 5, dtype=np.float32)[:, None, None, None]
  points = np.array([[0, 0], [1, 0], [1, 1], [2, 1], [2, 0]])
  data = FactorTable(np.broadcast_to(images, (5, 2, 2, 1)), points)
  shown = _drawn(data, columns=3)
  existing = set(np.linspace(0, 0.9, 5, dtype=np.float32).tolist()) | {1.0}
  assert set(shown[..., 0].ravel().tolist()) <= existing
  assert ((shown[:, :2] < 1).all()) and (shown[1, 2] == 1).all()


STEPS = np.abs(np.arange(3)[:, None] - np.arange(3)).astype(float)


def test_means_in_rows_and_columns():
  holes = np.where(STEPS == 2, np.nan, STEPS)
  levels = {
    "ground truth": np.stack([STEPS, 3 * STEPS]),
    "codes": np.stack([holes] * 2),
  }
  figure = levels_figure({"x": levels, "y": levels})
  assert [axis.get_title() for axis in figure.axes] == ["ground truth", "codes", "", ""]
  assert [axis.get_ylabel() for axis in figure.axes] == ["x", "", "y", ""]
  for row in (0, 2):
    np.testing.assert_array_equal(drawn_matrix(figure.axes[row]), 2 * STEPS)
    np.testing.assert_array_equal(drawn_matrix(figure.axes[row + 1]), holes)
  assert_shows_scale(plots.figure_to_png(figure))


def test_what_one_traversal_lacks_another_tells():
  holes = np.where(STEPS == 2, np.nan, STEPS)
  figure = levels_figure({"x": {"codes": np.stack([holes, STEPS])}})
  np.testing.assert_array_equal(drawn_matrix(figure.axes[0]), STEPS)


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


def test_writes_tables_and_figures(tmp_path):
  found = perceive(data=tiny_data(), rank_losses=True, **FEW)
  write_perceived(found, tmp_path / "a")
  names = {path.name for path in (tmp_path / "a").iterdir()}
  figures = ("factor_traversals", "distance_matrices", "cumulative")
  assert names == {
    "importance.json",
    "importance.md",
    "agreement.json",
    "ranking.json",
    "ranking.md",
    "factor_traversals.gif",
    *(f"{figure}.{suffix}" for figure in figures for suffix in ("png", "svg")),
  }
  written = json.loads((tmp_path / "a" / "importance.json").read_text())
  assert written == found.importance
  assert_shows_scale(tmp_path / "a" / "distance_matrices.png")
  assert_shows(tmp_path / "a" / "factor_traversals.png", [(1, 0, 0), (0, 1, 0)])
  assert_shows(
    tmp_path / "a" / "cumulative.png", [(0, 0, 0), (0, 114 / 255, 178 / 255)]
  )
  # Forwards and back through four values; equal frames are stored as one.
  assert len(read_gif(tmp_path / "a" / "factor_traversals.gif")) == 7
  with pytest.raises(UserError, match="exists and is not empty"):
    write_perceived(found, tmp_path / "a")
  write_perceived(found, tmp_path / "a", overwrite=True)


def test_also_of_a_model_and_of_other_worlds(tmp_path):
  found = perceive(
    data=tiny_data(),
    others={"1 px": tiny_data(grid_spacing=1)},
    model=LiveModel(tiny_model()),
    **FEW,
  )
  write_perceived(found, tmp_path / "a")
  assert_shows_scale(tmp_path / "a" / "worlds.png")
  assert_shows_scale(tmp_path / "a" / "levels.png")
  svg = (tmp_path / "a" / "levels.svg").read_text()
  assert svg.count("<image ") == 4 * 5  # a matrix for each factor and level
  assert json.loads((tmp_path / "a" / "levels.json").read_text()) == found.levels


def test_what_fails_midway_leaves_nothing(tmp_path, monkeypatch):
  def fail(*_):
    raise KeyboardInterrupt

  found = perceive(data=tiny_data(), **FEW)
  monkeypatch.setattr(plots, "cumulative_figure", fail)
  with pytest.raises(KeyboardInterrupt):
    write_perceived(found, tmp_path / "a")
  assert list(tmp_path.iterdir()) == []
