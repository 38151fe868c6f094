"""Captions: which evaluation, number of models, number of missing ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import TYPE_CHECKING

from disentangle_tf.studies.results_table import missing_models, select

if TYPE_CHECKING:
  import pandas as pd

  from disentangle_tf.studies.analyses import MatrixPanel

_WHICH = {
  "best": "Best evaluation of each training (biased upwards)",
  "last": "Last evaluation of each training",
}


def caption(table: pd.DataFrame, scores: Iterable[str], *words: str) -> str:
  """The caption of a figure: sentences, then the number of its models.

  Args:
    table: results table of one step per model.
    scores: names of the scores that the figure shows.
    words: sentences without a full stop; empty ones are left out.
  """
  shown = select(table, score=list(scores))
  missing = missing_models(table, shown["score"].unique())
  count = f"{shown['run'].nunique():,} models"
  if missing:
    count += f"; {missing:,} are missing or lack a score"
  sentences = [*words, _WHICH[table.attrs["taken"]], count]
  return "".join(f"{sentence}. " for sentence in sentences if sentence).strip()


def number_of(panel: MatrixPanel, things: str = "") -> str:
  """The n of a `MatrixPanel`: "n = 60", or "n = 48–60" if cells differ.

  Args:
    panel: `MatrixPanel`.
    things: name of the counted things, such as "settings".
  """
  fewest, most = panel.n
  shown = f"{most:,}" if fewest == most else f"{fewest:,}–{most:,}"
  empty = f", {panel.num_empty} empty" if panel.num_empty else ""
  return f"n = {shown}{f' {things}' if things else ''}{empty}"


def number_of_points(groups: Mapping[str, Sized]) -> str:
  """The n of {name: points or values}."""
  return f"n = {sum(map(len, groups.values())):,}"
