"""Claims of a paper with their intervals and verdicts, by a rule fixed beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import seed_contrast, verdict
from disentangle_tf.studies.figures.captions import caption, present_scores
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import MICHLO_METRICS, title
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.analyses import Contrast

  _Found = dict[tuple[str, str], dict[str, Contrast]]

_RULE = (
  "A claim is shown if every interval lies above 0, contradicted if any lies below 0, "
  "otherwise not shown"
)


def plot_claims(
  table: pd.DataFrame,
  *,
  claims: Mapping[str, Mapping[str, Sequence[tuple[float, Mapping[str, str]]]]],
  scores: Sequence[str] = tuple(MICHLO_METRICS),
  which: str = "last",
  least_seeds: int = 5,
) -> dict[str, Figure | str]:
  """Contrasts between groups of models with 95 % intervals, and each claim's verdict.

  Args:
    table: results table.
    claims: {claim: {contrast: [(weight, {column: value})]}}, contrasts of
      `seed_contrast` that lie above 0 if the claim is true.
    scores: names; the verdict is that of the first, and the others stand beside it.
    which: "last" or "best" evaluation of training.
    least_seeds: number of complete seeds below which nothing is shown.

  Returns:
    {"claims": figure; "claims.md": a table}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_claims")
  found = {
    (score, claim): {
      name: seed_contrast(table, groups, score=score)
      for name, groups in contrasts.items()
    }
    for score in scores
    for claim, contrasts in claims.items()
  }
  words = caption(
    table,
    scores,
    "Means over seeds, of the best setting of each seed, and bootstrap 95 % intervals. "
    f"{_RULE}; {title(scores[0])} decides",
  )
  return {
    "claims": _figure(found, scores[0], words, least_seeds),
    "claims.md": _table(found, words, least_seeds),
  }


def _figure(found: _Found, score: str, words: str, least_seeds: int) -> Figure:
  panels, notes = {}, {}
  for (measured, claim), contrasts in found.items():
    if measured == score:
      panels[claim] = {
        name: (each.value, each.low, each.high) if each.seeds else None
        for name, each in contrasts.items()
      }
      notes[claim] = verdict(contrasts.values(), least_seeds=least_seeds)
  return plots.forest_figure(
    panels, notes=notes, x_label=f"contrast of {title(score)}", caption=words
  )


def _table(found: _Found, words: str, least_seeds: int) -> str:
  rows = []
  for (score, claim), contrasts in found.items():
    result = verdict(contrasts.values(), least_seeds=least_seeds)
    rows += [
      [claim, title(score), name, _interval(each), _seeds(each), result]
      for name, each in contrasts.items()
    ]
  head = ["claim", "score", "contrast", "mean [95 % interval]", "seeds", "verdict"]
  return f"{markdown_table(head, rows)}\n\n{words}\n"


def _interval(contrast: Contrast) -> str:
  if not contrast.seeds:
    return "–"
  return f"{contrast.value:.3f} [{contrast.low:.3f}, {contrast.high:.3f}]"


def _seeds(contrast: Contrast) -> str:
  lacking = f" ({contrast.incomplete} incomplete)" if contrast.incomplete else ""
  return f"{contrast.seeds}{lacking}"
