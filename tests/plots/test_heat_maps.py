import numpy as np
from figure_checks import assert_shows

from disentangle_tf import plots


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
  assert all_dead.axes[0].images[0].get_array().mask.all()
  grey = (238 / 255,) * 3
  assert_shows(plots.figure_to_png(all_dead), [grey, (1, 1, 1)])
