"""Strips of points: the scores of several runs side by side."""

import statistics

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.score_axis import set_score_limits


def score_strips_figure(panels):
  """Every score as a point, medians as bars: figure 11 of Michlo et al. 2023.

  Args:
    panels: {title: {name: [scores]}}; names break at commas. The axis shows [0, 1], and
      more if scores lie outside.

  Returns:
    A matplotlib Figure.
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
