"""Two densities back to back, with their quartiles."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib import figure as mpl_figure
from matplotlib import mlab, patches
from matplotlib.axes import Axes

from disentangle_tf.plots.curves import COLOURS
from disentangle_tf.plots.panel_grid import add_caption

_POINTS = 200  # of a density
_SIDES = (-1, 1)


def split_violins_figure(
  panels: Mapping[str, Mapping[str, Mapping[str, npt.ArrayLike]]],
  *,
  y_limits: tuple[float, float] | None = (-0.1, 1.1),
  width: float = 0.9,
  caption: str = "",
) -> mpl_figure.Figure:
  """Split violins: figures 6 and 11 of Michlo et al. 2023.

  The density is estimated with Scott's rule. It ends at the smallest and at the largest
  value, and all halves have the same greatest width. Dashed lines mark the quartiles;
  the median has longer dashes. A half with a single distinct value is a line.

  Args:
    panels: {title: {position on the x axis: {half: values}}}, at most two halves. The
      first half in alphabetical order is at the left.
    y_limits: (low, high) of all panels; None for the range of the values.
    width: of a violin with both halves; neighbours are 1 apart.
    caption: a line or two below the figure.

  Returns:
    A matplotlib Figure. The number of values is written above each half.

  Raises:
    ValueError: there are more than two halves.

  Example:
    >>> from disentangle_tf import plots
    >>> violin = {"mse": [0.1, 0.2, 0.3], "overlap": [0.4, 0.6]}
    >>> figure = plots.split_violins_figure({"MIG": {"beta_vae": violin}})
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['3', '2']
  """
  places = list(dict.fromkeys(p for violins in panels.values() for p in violins))
  halves = sorted(
    {h for violins in panels.values() for sides in violins.values() for h in sides}
  )
  if len(halves) > len(_SIDES):
    raise ValueError(f"a violin has two halves, not {halves}")
  figure = mpl_figure.Figure(
    figsize=(max(0.8 + 0.54 * len(places), 2.0) * len(panels), 2.7),
    layout="constrained",
  )
  axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
  for axis, (title, violins) in zip(axes, panels.items(), strict=True):
    for place, name in enumerate(places):
      for number, half in enumerate(halves):
        if half in violins.get(name, {}):
          values = np.asarray(violins[name][half], float)
          _draw(axis, place, values, _SIDES[number], COLOURS[number], width)
    axis.set_title(title, fontsize=9, parse_math=False)
    lines = [name.replace(", ", "\n") for name in places]
    axis.set_xticks(range(len(places)), lines, fontsize=7, parse_math=False)
    axis.set_xlim(-0.6, len(places) - 0.4)
    axis.tick_params(axis="y", labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)
    if y_limits is not None:
      axis.set_ylim(*y_limits)
  axes[0].set_ylabel("score", fontsize=8)
  handles = [
    patches.Patch(facecolor=COLOURS[number], alpha=0.6, label=half)
    for number, half in enumerate(halves)
  ]
  figure.legend(
    handles=handles, loc="outside upper center", ncols=2, fontsize=7, frameon=False
  )
  if caption:
    add_caption(figure, caption)
  return figure


def _draw(
  axis: Axes, place: int, values: np.ndarray, side: int, colour: str, width: float
) -> None:
  heights = np.linspace(values.min(), values.max(), _POINTS)
  if values.min() == values.max():
    shape = np.ones(_POINTS)
  else:
    shape = mlab.GaussianKDE(values).evaluate(heights)
  reach = side * width / 2 * shape / shape.max()
  axis.fill_betweenx(
    heights, place, place + reach, facecolor=colour, alpha=0.6, edgecolor="black",
    linewidth=0.5,
  )  # fmt: skip
  for share, dashes in ((25, (0, (2, 2))), (50, (0, (5, 1.5))), (75, (0, (2, 2)))):
    height = np.percentile(values, share)
    end = np.interp(height, heights, reach)
    axis.plot(
      [place, place + end], [height] * 2, color="black", linewidth=0.8, linestyle=dashes
    )
  axis.text(
    place + side * width / 4, values.max() + 0.012, f"{len(values)}", ha="center",
    va="bottom", fontsize=5.5, color="#444444",
  )  # fmt: skip
