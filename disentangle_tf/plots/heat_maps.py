"""Heat-maps of latents against factors."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes

_MOST_WRITTEN = 150  # numbers in one map
_MOST_IN_A_ROW = 2
_GREY, _LINES = "#EEEEEE", "#D4D4D4"


def heat_maps_figure(
  matrices: Mapping[str, np.ndarray],
  factor_names: Sequence[str],
  *,
  latents: Sequence[int] | None = None,
  dead: Collection[int] = (),
) -> mpl_figure.Figure:
  """Heat-maps of latents against factors, each on its own colour scale from 0.

  Args:
    matrices: {title: [latents, factors]}, at least one.
    factor_names: one for each factor.
    latents: the latents' numbers, in the order of the rows; 0, 1, ... by default.
    dead: numbers of dead latents. Their rows are grey and hatched, and the colour scale
      ignores them, since a measure may give them any value.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> figure = plots.heat_maps_figure({"MI": np.eye(2)}, ["x", "y"], dead=[1])
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['latent 0', 'latent 1 (dead)']
  """
  num_latents, factors = next(iter(matrices.values())).shape
  latents = range(num_latents) if latents is None else latents
  labels = {n: f"latent {n} (dead)" if n in dead else f"latent {n}" for n in latents}
  width, height = max(2.2, 0.5 * factors + 1.1), 0.28 * num_latents + 1.3
  width += 0.045 * max(map(len, labels.values()))
  columns = min(len(matrices), _MOST_IN_A_ROW)
  rows = -(-len(matrices) // columns)
  figure = mpl_figure.Figure(
    figsize=(width * columns, height * rows), layout="constrained"
  )
  grid = figure.add_gridspec(rows, columns)
  alive = np.array([latent not in dead for latent in latents])
  for place, (title, matrix) in enumerate(matrices.items()):
    axis = figure.add_subplot(grid[place // columns, place % columns])
    _draw(figure, axis, np.asarray(matrix), title, factor_names, alive)
    every = -(-num_latents // 40)  # of many latents only some are named
    axis.set_yticks(range(0, num_latents, every), list(labels.values())[::every])
    axis.tick_params(axis="y", labelsize=7)
  return figure


def _draw(
  figure: mpl_figure.Figure,
  axis: Axes,
  matrix: np.ndarray,
  title: str,
  factor_names: Sequence[str],
  alive: np.ndarray,
) -> None:
  highest = max(float(np.max(matrix[alive], initial=0.0)), 1e-12)
  shown = axis.imshow(
    np.ma.array(matrix, mask=np.broadcast_to(~alive[:, None], matrix.shape)),
    cmap="viridis", vmin=0.0, vmax=highest, aspect="auto",
  )  # fmt: skip
  for row in np.flatnonzero(~alive):
    axis.axhspan(
      row - 0.5, row + 0.5, facecolor=_GREY, edgecolor=_LINES, hatch="//", linewidth=0
    )
  axis.set_title(title, fontsize=9)
  axis.set_xticks(
    range(matrix.shape[1]),
    factor_names,
    rotation=45,
    ha="right",
    fontsize=7,
    parse_math=False,  # a name may hold a dollar
  )
  if matrix.size <= _MOST_WRITTEN:
    for (latent, factor), value in np.ndenumerate(matrix):
      axis.text(
        factor,
        latent,
        f"{round(float(value), 2) + 0.0:.2f}",
        ha="center",
        va="center",
        color=_colour(value / highest, bool(alive[latent])),
        size=6,
      )
  else:
    figure.colorbar(shown, ax=axis, shrink=0.85).ax.tick_params(labelsize=7)


def _colour(brightness: float, alive: bool) -> str:
  """Colour of a number that can be read on its cell."""
  if not alive:
    return "#666666"
  return "black" if brightness > 0.6 else "white"
