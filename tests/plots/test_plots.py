import io

import numpy as np
import pytest
from matplotlib import image
from PIL import Image as pil_image  # noqa: N813

from disentangle_tf import plots


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_rgb(channels):
  images = np.random.default_rng(0).random((4, 5, channels))
  rgb = plots.to_rgb(images)
  assert rgb.shape == (4, 5, 3)
  np.testing.assert_array_equal(rgb[..., :channels], images[..., :3])
  if channels == 2:
    assert not rgb[..., 2].any()


def test_grid_places_every_image():
  images = np.random.default_rng(0).random((2, 3, 4, 5, 3))
  grid = plots.image_grid(images, padding=1)
  assert grid.shape == (2 * 5 + 1, 3 * 6 + 1, 3)
  for row in range(2):
    for column in range(3):
      top, left = 1 + 5 * row, 1 + 6 * column
      np.testing.assert_array_equal(
        grid[top : top + 4, left : left + 5], images[row, column]
      )
  assert (grid[0] == 1).all() and (grid[:, -1] == 1).all()
  assert plots.image_grid(images, scale=3, padding=0).shape == (24, 45, 3)


def test_png_keeps_the_pixels():
  picture = np.random.default_rng(0).random((6, 7, 3))
  again = image.imread(io.BytesIO(plots.picture_to_png(picture)))
  np.testing.assert_allclose(again[..., :3], picture, atol=1 / 254)


def test_matrices_share_a_scale():
  figure = plots.matrices_figure(
    [np.eye(3), 5 * np.eye(3)], ["a", "b"], label="distance"
  )
  drawn = [axis.images[0] for axis in figure.axes if axis.images]
  assert [image.get_clim() for image in drawn[:2]] == [(0, 5), (0, 5)]
  assert [axis.get_title() for axis in figure.axes[:2]] == ["a", "b"]
  assert plots.figure_to_png(figure).startswith(b"\x89PNG")


def test_heat_maps_show_every_number():
  matrices = {"a": np.arange(6).reshape(3, 2), "b": np.zeros((3, 2))}
  figure = plots.heat_maps_figure(matrices, ["x", "y"])
  first, second = figure.axes
  assert [text.get_text() for text in first.texts] == [f"{i}.00" for i in range(6)]
  assert first.images[0].get_clim() == (0, 5)
  assert [label.get_text() for label in second.get_xticklabels()] == ["x", "y"]
  many = plots.heat_maps_figure({"a": np.ones((100, 2))}, ["x", "y"])
  assert not many.axes[0].texts and len(many.axes) == 2


def test_dead_latents_are_grey_and_never_the_brightest():
  matrix = np.array([[0.5, 0.1], [0.2, 0.4], [9.0, 8.0]])
  figure = plots.heat_maps_figure({"a": matrix}, "xy", latents=[4, 0, 7], dead=[7])
  (axis,) = figure.axes
  labels = [label.get_text() for label in axis.get_yticklabels()]
  assert labels == ["latent 4", "latent 0", "latent 7 (dead)"]
  shown = axis.images[0]
  assert shown.get_clim() == (0, 0.5)  # the colours are those of the others
  np.testing.assert_array_equal(shown.get_array().mask, [[0, 0], [0, 0], [1, 1]])
  (patch,) = axis.patches
  assert patch.get_hatch() and patch.get_y() == 1.5  # the third row
  red, green, blue, _ = patch.get_facecolor()
  assert red == green == blue
  assert [text.get_text() for text in axis.texts][-2:] == ["9.00", "8.00"]
  all_dead = plots.heat_maps_figure({"a": matrix}, "xy", dead=[0, 1, 2])
  assert plots.figure_to_png(all_dead).startswith(b"\x89PNG")


def test_missing_distances_stay_white():
  holes = np.array([[0.0, np.nan], [np.nan, 2.0]])
  figures = [
    plots.matrices_figure([holes, np.eye(2)], ["a", "b"], label="distance"),
    plots.matrix_rows_figure({"row": [holes]}, ["a"]),
  ]
  for figure in figures:
    assert figure.axes[0].images[0].get_clim() == (0, 2)
    assert plots.figure_to_png(figure).startswith(b"\x89PNG")


def test_curves_of_many_runs():
  curves = {f"run {i}": {1: [i / 40], 2: [0.5]} for i in range(40)}
  figure = plots.score_curves_figure({"mig": curves}, "spacing")
  lines = figure.axes[0].get_lines()
  assert len(lines) == 40
  assert len({(line.get_color(), line.get_marker()) for line in lines}) == 40
  assert [text.get_text() for text in figure.legends[0].get_texts()] == list(curves)


@pytest.mark.parametrize(
  ("scores", "limits"),
  [
    ([0.2, 0.7], (-0.02, 1.02)),
    ([-0.5, 1.5], (-0.54, 1.54)),
    ([3.0, 5.0], (-0.1, 5.1)),
  ],
)
def test_the_axis_of_scores_follows_them(scores, limits):
  figures = [
    plots.score_curves_figure({"a": {"run": {1: scores}}, "b": {"run": {1: [0]}}}, "s"),
    plots.score_strips_figure({"a": {"run": scores}, "b": {"run": [0]}}),
  ]
  for figure in figures:
    for axis in figure.axes:
      assert axis.get_ylim() == pytest.approx(limits)


def test_cumulative_shares():
  figure = plots.cumulative_figure({"random": [3.0, 1.0, 2.0, 4.0], "x": [1.0, 1.0]})
  random, x = figure.axes[0].get_lines()
  assert random.get_color() == "black"
  np.testing.assert_array_equal(random.get_xdata(), [0, 1, 2, 3, 4])
  np.testing.assert_array_equal(random.get_ydata(), [0, 0.25, 0.5, 0.75, 1])
  assert x.get_ydata()[-1] == 1


def test_rows_of_matrices(tmp_path):
  rows = {"a": [np.eye(2), 2 * np.eye(2)], "b": [3 * np.eye(2), 0 * np.eye(2)]}
  figure = plots.matrix_rows_figure(rows, ["x", "y"])
  assert [axis.get_title() for axis in figure.axes] == ["x", "y", "", ""]
  assert [axis.images[0].get_clim()[1] for axis in figure.axes[:3]] == [1, 2, 3]
  plots.save_figure(figure, tmp_path / "matrices")
  assert (tmp_path / "matrices.png").read_bytes().startswith(b"\x89PNG")
  assert b"<svg" in (tmp_path / "matrices.svg").read_bytes()


def test_traversals_name_their_factors():
  images = np.random.default_rng(0).random((2, 3, 8, 8, 1))
  axis = plots.traversals_figure(images, ["x", "y"]).axes[0]
  assert [label.get_text() for label in axis.get_yticklabels()] == ["x", "y"]
  np.testing.assert_array_equal(
    axis.images[0].get_array(), plots.image_grid(images, padding=1)
  )


def test_report_holds_scores_and_pictures():
  picture = plots.picture_to_png(np.zeros((2, 2, 3)))
  text = plots.html_report(
    title="A < B",
    introduction="why",
    parts=[
      plots.table_part("Scores", "note", {"one": {"mig": 0.25}, "two": {"mig": 0.5}}),
      plots.facts_part("Facts", "", {"path": "<script>"}),
      plots.pictures_part("Pictures", "what", {"left": picture, "right": picture}),
    ],
  )
  assert "A &lt; B" in text
  assert "<dt>path</dt><dd>&lt;script&gt;</dd>" in text
  assert '<td class="best">0.500</td>' in text
  assert '<td class="other">0.250</td>' in text
  assert text.count("data:image/png;base64,") == 2
  assert "http" not in text


def test_a_gif_moves_there_and_back():
  frames = np.linspace(0, 1, 4)[:, None, None, None] * np.ones((4, 5, 6, 3))
  with pil_image.open(io.BytesIO(plots.pictures_to_gif(frames))) as gif:
    assert gif.n_frames == 6 and gif.size == (6, 5)
    levels = []
    for frame in range(6):
      gif.seek(frame)
      levels.append(np.asarray(gif.convert("RGB"))[0, 0, 0])
  assert levels == [0, 85, 170, 255, 170, 85]
