"""Curves of scores over the values of a setting."""

import statistics
from collections.abc import Mapping, Sequence

from matplotlib import figure as mpl_figure

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.score_axis import set_score_limits

_MARKERS = "osD^v"  # five, so that with eight colours the first 40 curves differ
_MOST_INSIDE = 4  # curves whose legend fits into the first panel


def score_curves_figure(
  panels: Mapping[str, Mapping[str, Mapping[float, Sequence[float]]]], label: str
) -> mpl_figure.Figure:
  """Scores over a setting, medians as lines: figure 9 of Michlo et al. 2023.

  Args:
    panels: {title: {label: {value of the setting: scores}}}. The y axis shows [0, 1],
      and more if scores lie outside.
    label: the setting's name.

  Returns:
    A matplotlib Figure. Each score is a point.

  Example:
    >>> from disentangle_tf import plots
    >>> curves = {"beta_vae": {1: [0.1, 0.2, 0.6], 4: [0.3]}}
    >>> figure = plots.score_curves_figure({"MIG": curves}, "beta")
    >>> figure.axes[0].lines[0].get_ydata()
    array([0.2, 0.3])
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
  # All panels share this axis.
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
