"""Strips of points: the scores of several methods side by side."""

import statistics
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.score_axis import set_score_limits


def score_strips_figure(
  panels: Mapping[str, Mapping[str, Sequence[float]]],
) -> mpl_figure.Figure:
  """Every score as a point, medians as bars: figure 11 of Michlo et al. 2023.

  Args:
    panels: {title: {label: scores}}, the same labels in all panels. A label starts a
      new line after each comma. The y axis shows [0, 1], and more if scores lie
      outside.

  Returns:
    A matplotlib Figure.

  Example:
    >>> from disentangle_tf import plots
    >>> strips = {"vae": [0.1, 0.2, 0.6], "beta_vae, 4": [0.3, 0.5]}
    >>> figure = plots.score_strips_figure({"MIG": strips})
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['0.20', '0.40']
  """
  names = list(next(iter(panels.values())))
  figure = mpl_figure.Figure(
    figsize=((0.65 * len(names) + 0.7) * len(panels), 2.4), layout="constrained"
  )
  axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
  for axis, (title, strips) in zip(axes, panels.items(), strict=True):
    for place, name in enumerate(names):
      scores = strips[name]
      spread = np.linspace(-0.12, 0.12, len(scores)) if len(scores) > 1 else [0.0]
      colour = COLOURS[place % len(COLOURS)]
      axis.scatter(place + np.asarray(spread), scores, s=14, color=colour, zorder=3)
      median = statistics.median(scores)
      axis.plot([place - 0.3, place + 0.3], [median] * 2, color=colour, linewidth=1.8)
      axis.text(place + 0.33, median, f"{median:.2f}", va="center", fontsize=6)
    axis.set_title(title, fontsize=9)
    lines = [name.replace(", ", "\n") for name in names]
    axis.set_xticks(range(len(names)), lines, fontsize=7)
    axis.set_xlim(-0.6, len(names) - 0.3)
    axis.tick_params(axis="y", labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)
  set_score_limits(axes[0], [s for strips in panels.values() for s in strips.values()])
  axes[0].set_ylabel("score", fontsize=8)
  return figure
