"""Scores that a results table has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  import pandas as pd


def present_scores(
  table: pd.DataFrame, scores: Iterable[str], owner: str
) -> tuple[str, ...]:
  """The scores that the table has, in this order; at least one.

  Args:
    table: results table.
    scores: names.
    owner: name of the function, for the error.
  """
  known = set(table["score"])
  present = tuple(score for score in scores if score in known)
  if not present:
    shown = ", ".join(sorted(known)) or "none"
    raise UserError(f"{owner} needs one of {', '.join(scores)}; the table has {shown}")
  return present
