import numpy as np
import pytest

from disentangle_tf import plots

_LEFT, _RIGHT = np.arange(16) / 20, np.array([0.2, 0.4, 0.4, 0.6])


def _violins(**options):
  panels = {
    "MIG": {"dSprites": {"right": _RIGHT, "left": _LEFT}, "Cars3D": {"left": [0.5]}}
  }
  return plots.split_violins_figure(panels, **options)


def test_halves_end_at_the_values_and_are_equally_wide():
  axis = _violins().axes[0]
  left, right = (shape.get_paths()[0].vertices for shape in axis.collections[:2])
  assert left[:, 1].min() == 0 and left[:, 1].max() == 0.75  # cut 0
  assert right[:, 1].min() == 0.2 and right[:, 1].max() == 0.6
  assert left[:, 0].min() == pytest.approx(-0.45) and left[:, 0].max() == 0
  assert right[:, 0].max() == pytest.approx(0.45) and right[:, 0].min() == 0
  narrow = _violins(width=0.5).axes[0].collections[0].get_paths()[0].vertices
  assert narrow[:, 0].min() == pytest.approx(-0.25)


def test_quartiles_are_lines_within_the_density():
  axis = _violins().axes[0]
  lines = axis.get_lines()
  heights = [line.get_ydata()[0] for line in lines[:3]]
  np.testing.assert_allclose(heights, np.array([3.75, 7.5, 11.25]) / 20)
  for line in lines[:3]:
    start, end = line.get_xdata()
    assert start == 0 and -0.45 <= end < 0


def test_names_limits_and_numbers_of_models():
  figure = _violins(caption="words")
  axis = figure.axes[0]
  assert axis.get_title() == "MIG" and axis.get_ylim() == (-0.1, 1.1)
  assert [label.get_text() for label in axis.get_xticklabels()] == [
    "dSprites",
    "Cars3D",
  ]
  assert [text.get_text() for text in axis.texts] == ["16", "4", "1"]
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["left", "right"] and figure.get_supxlabel() == "words"


def test_no_more_than_two_halves():
  with pytest.raises(ValueError, match="two halves"):
    plots.split_violins_figure({"a": {"b": {"x": [1], "y": [1], "z": [1]}}})
