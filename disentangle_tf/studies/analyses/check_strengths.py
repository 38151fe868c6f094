"""Strengths as an axis: each must stand for one setting of its method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  import pandas as pd


def check_strengths(models: pd.DataFrame) -> None:
  """Check that each strength of a method stands for one setting.

  A strength is the place of a setting in the sweep of one plan. In a table of several
  plans one place may hold several settings, which must not be pooled.

  Args:
    models: frame of `pivot`.

  Raises:
    UserError: if a strength has several settings, or a setting several strengths.
  """
  pairs = models[["method", "strength", "setting"]].drop_duplicates()
  for column in ("strength", "setting"):
    twice = pairs[pairs.duplicated(["method", column], keep=False)]
    if len(twice):
      same = twice[twice[column] == twice[column].iloc[0]]
      method = same["method"].iloc[0]
      (_, first), (_, other) = same[same["method"] == method].head(2).iterrows()
      raise UserError(
        f"strengths of {method} do not compare: {first['setting']!r} has strength "
        f"{first['strength']}, {other['setting']!r} has {other['strength']}; the table "
        "holds several plans: collect their runs as one study, or draw against the "
        "name of a swept setting"
      )
