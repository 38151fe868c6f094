"""Matrices and heat maps side by side."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes


def matrices_figure(
  matrices: Sequence[np.ndarray], titles: Sequence[str], *, label: str
) -> mpl_figure.Figure:
  """A row of square matrices on one colour scale.

  Args:
    matrices: arrays [values, values], at least one; NaN stays white.
    titles: one for each.
    label: what the colours mean.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> matrices = [np.eye(3), np.ones([4, 4])]
    >>> figure = plots.matrices_figure(matrices, ["x", "y"], label="distance")
    >>> [axis.get_title() for axis in figure.axes[:2]]
    ['x', 'y']
  """
  figure = mpl_figure.Figure(
    figsize=(1.5 * len(matrices) + 0.9, 1.9), layout="constrained"
  )
  axes = figure.subplots(1, len(matrices), squeeze=False)[0]
  highest = max(np.nanmax(matrix) for matrix in matrices)
  for axis, matrix, title in zip(axes, matrices, titles, strict=True):
    shown = axis.imshow(matrix, cmap="viridis", vmin=0.0, vmax=highest)
    axis.set_title(title, fontsize=9)
    axis.set_xticks([0, len(matrix) - 1])
    axis.set_yticks([0, len(matrix) - 1])
    axis.tick_params(labelsize=7)
  bar = figure.colorbar(shown, ax=list(axes), shrink=0.85)
  bar.set_label(label, fontsize=8)
  bar.ax.tick_params(labelsize=7)
  return figure


def matrix_rows_figure(
  rows: Mapping[str, Sequence[np.ndarray]], titles: Sequence[str]
) -> mpl_figure.Figure:
  """Rows of square matrices: figures 3, 4, 8 and 10 of Michlo et al. 2023.

  Each matrix has its own colour scale from 0 to its largest entry, which is written
  below it: the pattern matters, and scales differ between rows.

  Args:
    rows: {label: matrices}, all rows of the same length; NaN stays white.
    titles: one for each column.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> figure = plots.matrix_rows_figure({"perceived": [2 * np.eye(3)]}, ["x"])
    >>> figure.axes[0].get_ylabel(), figure.axes[0].get_xlabel()
    ('perceived', 'max 2')
  """
  figure = mpl_figure.Figure(
    figsize=(1.15 * len(titles) + 0.4, 1.32 * len(rows) + 0.3), layout="constrained"
  )
  axes = figure.subplots(len(rows), len(titles), squeeze=False)
  for line, (label, matrices) in zip(axes, rows.items(), strict=True):
    line[0].set_ylabel(label, fontsize=8)
    for axis, matrix in zip(line, matrices, strict=True):
      highest = max(float(np.nanmax(matrix)), 1e-12)
      axis.imshow(matrix, cmap="viridis", vmin=0.0, vmax=highest)
      axis.set_xticks([])
      axis.set_yticks([])
      axis.set_xlabel(f"max {highest:.3g}", fontsize=6)
  for axis, title in zip(axes[0], titles, strict=True):
    axis.set_title(title, fontsize=8)
  return figure


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
