"""Scores as a setting changes."""

import statistics

from matplotlib import figure as mpl_figure

from disentangle_tf.plots.cumulative import COLOURS

_MARKERS = "osD^v"


def score_curves_figure(panels, label):
  """Medians as lines, single models as points: figure 9 of Michlo et al. 2023.

  Args:
    panels: {title: {name: {value of the setting: [scores]}}}, scores in [0, 1].
    label: the setting's name.

  Returns:
    A matplotlib Figure.
  """
  figure = mpl_figure.Figure(
    figsize=(2.6 * len(panels) + 0.4, 2.4), layout="constrained"
  )
  axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
  for axis, (title, curves) in zip(axes, panels.items(), strict=True):
    for number, (name, scores) in enumerate(curves.items()):
      style = {"color": COLOURS[number], "marker": _MARKERS[number % len(_MARKERS)]}
      medians = [statistics.median(scores[value]) for value in scores]
      axis.plot(list(scores), medians, markersize=4, linewidth=1.4, label=name, **style)
      for value, each in scores.items():
        axis.scatter([value] * len(each), each, s=6, alpha=0.5, **style)
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(label, fontsize=8)
    axis.set_xticks(sorted({value for scores in curves.values() for value in scores}))
    axis.set_ylim(-0.02, 1.02)
    axis.tick_params(labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)
  axes[0].set_ylabel("score", fontsize=8)
  axes[0].legend(fontsize=7, frameon=False)
  return figure
