"""Cumulative distributions of distances."""

from collections.abc import Mapping

import numpy as np
from matplotlib import figure as mpl_figure
from numpy import typing as npt

# The colours of Okabe & Ito, which colour-blind readers can tell apart.
COLOURS = (
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#E69F00",
  "#56B4E9",
  "#7F7F7F",
  "#F0E442",
)
_STYLES = ("-", "--", ":", "-.")


def cumulative_figure(distances: Mapping[str, npt.ArrayLike]) -> mpl_figure.Figure:
  """Cumulative distributions of distances: figure A1 of Michlo et al. 2023.

  Args:
    distances: {label: distances [pairs]}. The label "random" is drawn in black.

  Returns:
    A matplotlib Figure with one curve per label: the share of pairs that are at most
    this far apart.

  Example:
    >>> from disentangle_tf import plots
    >>> figure = plots.cumulative_figure({"x": [0.1, 0.4], "random": [0.2, 0.3]})
    >>> [line.get_label() for line in figure.axes[0].lines]
    ['x', 'random']
  """
  figure = mpl_figure.Figure(figsize=(4.2, 2.6), layout="constrained")
  axis = figure.subplots()
  coloured = 0
  for name, values in distances.items():
    if name == "random":
      colour, style, width = "black", "-", 1.4
    else:
      colour = COLOURS[coloured % len(COLOURS)]
      style = _STYLES[coloured % len(_STYLES)]
      width = max(1.0, 3.0 - 0.5 * coloured)  # so that those below stay visible
      coloured += 1
    values = np.sort(values)
    share = np.arange(1, len(values) + 1) / len(values)
    axis.step(
      np.append(0.0, values), np.append(0.0, share),
      where="post", color=colour, linestyle=style, label=name,
      linewidth=width,
    )  # fmt: skip
  axis.set_xlabel("perceived distance", fontsize=8)
  axis.set_ylabel("share of pairs", fontsize=8)
  axis.set_xlim(left=0.0)
  axis.set_ylim(0.0, 1.02)
  axis.tick_params(labelsize=7)
  axis.spines[["top", "right"]].set_visible(False)
  figure.legend(fontsize=7, frameon=False, loc="outside right upper")
  return figure
