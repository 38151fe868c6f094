"""Curves of scores over the values of a setting."""

import statistics

from matplotlib import figure as mpl_figure

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.score_axis import set_score_limits

_MARKERS = "osD^v"  # five, so that with eight colours the first forty runs differ
_MOST_INSIDE = 4  # runs whose legend fits beside the curves


def score_curves_figure(panels, label):
  """Medians as lines, single models as points: figure 9 of Michlo et al. 2023.

  Args:
    panels: {title: {name: {value of the setting: [scores]}}}, any number of names. The
      axis shows [0, 1], and more if scores lie outside.
    label: the setting's name.

  Returns:
    A matplotlib Figure.
  """
  inside = max(map(len, panels.values())) <= _MOST_INSIDE
  width = 2.6 * len(panels) + (0.4 if inside else 1.6)
  figure = mpl_figure.Figure(figsize=(width, 2.4), layout="constrained")
  axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
  for axis, (title, curves) in zip(axes, panels.items(), strict=True):
    for number, (name, scores) in enumerate(curves.items()):
      style = {
        "color": COLOURS[number % len(COLOURS)],
        "marker": _MARKERS[number % len(_MARKERS)],
      }
      medians = [statistics.median(scores[value]) for value in scores]
      axis.plot(list(scores), medians, markersize=4, linewidth=1.4, label=name, **style)
      for value, each in scores.items():
        axis.scatter([value] * len(each), each, s=6, alpha=0.5, **style)
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(label, fontsize=8)
    axis.set_xticks(sorted({value for scores in curves.values() for value in scores}))
    axis.tick_params(labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)
  # One axis for all panels, which share it.
  set_score_limits(
    axes[0], [s for c in panels.values() for name in c.values() for s in name.values()]
  )
  axes[0].set_ylabel("score", fontsize=8)
  if inside:
    axes[0].legend(fontsize=7, frameon=False)
  else:
    labelled = axes[0].get_legend_handles_labels()
    figure.legend(*labelled, fontsize=7, frameon=False, loc="outside right upper")
  return figure
