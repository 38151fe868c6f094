import itertools

import numpy as np

from disentangle_tf import plots


def _panels(axes):
  return [axis for axis in axes if axis.images]


def test_panels_share_a_scale_and_show_numbers():
  panels = {"a": np.ma.array([[1.0, -0.5]]), "b": np.ma.array([[0.25, 0.0]])}
  figure = plots.heat_map_grid_figure(
    panels, ["row"], ["x", "y"], notes={"a": "n = 7"}, label="what", caption="words"
  )
  first, second = _panels(figure.axes)
  assert first.get_title() == "a\nn = 7" and second.get_title() == "b"
  assert first.images[0].get_clim() == second.images[0].get_clim() == (-1, 1)
  assert [text.get_text() for text in first.texts] == ["1.00", "-0.50"]
  assert [text.get_text() for text in second.texts] == ["0.25", "0.00"]
  assert [label.get_text() for label in first.get_yticklabels()] == ["row"]
  assert [label.get_text() for label in second.get_yticklabels()] == [""]
  assert [label.get_text() for label in second.get_xticklabels()] == ["x", "y"]
  assert figure.get_supxlabel() == "words"
  bars = [axis for panel in (first, second) for axis in panel.child_axes]
  assert [bar.get_ylabel() for bar in bars] == ["what"]


def test_empty_cells_are_hatched_and_have_no_number():
  matrix = np.ma.masked_invalid([[np.nan, 3.0]])
  figure = plots.heat_map_grid_figure({"a": matrix}, ["r"], ["x", "y"], limits=(0, 5))
  (axis,) = _panels(figure.axes)
  assert [text.get_text() for text in axis.texts] == ["3.00"]
  (patch,) = axis.patches
  assert patch.get_hatch() and patch.get_xy()[:, 0].max() == 0.5
  assert axis.images[0].get_array().mask.tolist() == [[True, False]]


def test_whole_numbers_and_no_minus_zero():
  figure = plots.heat_map_grid_figure(
    {"a": np.ma.array([[-0.2, 99.6]])}, ["r"], ["x", "y"], limits=(0, 100), decimals=0
  )
  assert [text.get_text() for text in figure.axes[0].texts] == ["0", "100"]


def test_many_panels_stay_on_the_page():
  names = [f"score number {n}" for n in range(6)]
  panels = {f"set {n}": np.ma.array(np.eye(6)) for n in range(7)}
  figure = plots.heat_map_grid_figure(panels, names, names)
  assert len(_panels(figure.axes)) == 7 and figure.get_figwidth() < 8
  assert plots.figure_to_png(figure).startswith(b"\x89PNG")
  # Columns are named below each panel that has no panel below it.
  named = [axis.get_xticklabels()[0].get_text() for axis in _panels(figure.axes)]
  assert named[-1] == names[0] and named[0] == ""


def test_all_cells_may_be_empty():
  empty = np.ma.masked_all((2, 2))
  figure = plots.heat_map_grid_figure({"a": empty}, "ab", "xy")
  assert not figure.axes[0].texts and len(figure.axes[0].patches) == 4


def test_titles_of_small_panels_do_not_overlap():
  names = ("BetaVAE score", "FactorVAE score", "MIG", "DCI disentanglement", "SAP")
  panels = {name: np.ma.array(np.eye(2)) for name in names}
  figure = plots.heat_map_grid_figure(
    panels, ["a", "b"], ["a", "b"], notes={"MIG": "a note as wide as four cells"}
  )
  plots.figure_to_png(figure)  # computes the layout
  titles = [axis.title.get_window_extent() for axis in _panels(figure.axes)]
  assert not [
    (first, second)
    for first, second in itertools.combinations(titles, 2)
    if first.overlaps(second)
  ]
