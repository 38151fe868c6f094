"""Scores as one setting grows, with fitted curves: Michlo et al. 2023, figure 9."""

from disentangle_tf import plots
from disentangle_tf.studies.analyses import score_fit
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import MICHLO_METRICS, title
from disentangle_tf.studies.results_table import one_step

_OTHERS = {
  "pooled": "All other settings are pooled",
  "best": "Of other settings the one with the highest median is shown",
}


def plot_score_fit(
  table,
  *,
  over,
  label,
  which="best",
  others="pooled",
  scores=tuple(MICHLO_METRICS),
  degree=4,
  resamples=1_000,
):
  """One point per model, a polynomial through them, and its 95 % bootstrap band.

  Args:
    table: results table.
    over, others, degree, resamples: see `analyses.score_fit`.
    label: what to call the setting.
    which: "best" evaluation of training, as in the paper, or "last".
    scores: names.

  Returns:
    {"score_fit": figure}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_fit")
  found = score_fit(
    table, over=over, others=others, scores=scores, degree=degree, resamples=resamples
  )
  panels, points, notes = {}, {}, {}
  for score, methods in found.items():
    key = title(score)
    panels[key] = {title(m): _curve(fitted.fit) for m, fitted in methods.items()}
    points[key] = {title(m): fitted.points for m, fitted in methods.items()}
    notes[key] = f"n = {sum(len(each) for each in points[key].values())}"
  places = {x for groups in points.values() for g in groups.values() for x in g[:, 0]}
  chosen = (
    _OTHERS[others] if isinstance(others, str) else "Settings were chosen by hand"
  )
  figure = plots.curve_grid_figure(
    panels,
    x_label=label,
    y_label="score",
    points=points,
    notes=notes,
    x_ticks=sorted(places),
    share_y="all",
    size=(2.6, 2.0),
    caption=caption(
      table,
      scores,
      f"Polynomials of degree {degree} with 95 % bootstrap bands",
      chosen,
    ),
  )
  return {"score_fit": figure}


def _curve(fit):
  return (fit.x, fit.y) if fit.low is None else (fit.x, fit.y, fit.low, fit.high)
