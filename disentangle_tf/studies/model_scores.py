"""The results table in wide form: one row per model, one column per score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.titles import in_paper_order

if TYPE_CHECKING:
  import pandas as pd

MODEL_COLUMNS = ("run", "method", "data", "setting", "strength", "seed")
MODEL_ORDER = ("data", "method", "strength", "setting", "seed", "run")


def pivot(table: pd.DataFrame, scores: Iterable[str] | None = None) -> pd.DataFrame:
  """One row per model in canonical order, one column per score, NaN if missing.

  Args:
    table: results table of one step per model.
    scores: names of the columns; all scores of the table by default. Models that have
      none of them are left out.

  Returns:
    Frame with the columns run, method, data, setting, strength, seed and the scores, in
    this order. The order of the table's rows does not matter.
  """
  scores = sorted(table["score"].unique()) if scores is None else list(scores)
  if len(set(scores)) < len(scores):
    raise UserError(f"a score is asked for twice: {', '.join(scores)}")
  chosen = table[table["score"].isin(scores)]
  if chosen.duplicated(["run", "score"]).any():
    raise UserError(
      'models were scored at several steps: take one_step(table, "best") or "last" '
      "first"
    )
  values = chosen.pivot(index="run", columns="score", values="value")
  models = chosen[[*MODEL_COLUMNS]].drop_duplicates("run").sort_values([*MODEL_ORDER])
  wide = models.join(values.reindex(columns=scores), on="run")
  return wide.reset_index(drop=True)


def split_models(models: pd.DataFrame, column: str) -> dict[str, pd.DataFrame]:
  """{value of the column: its rows}, in the papers' order.

  Args:
    models: frame of `pivot`.
    column: such as "method" or "data".
  """
  groups = {str(name): group for name, group in models.groupby(column)}
  return {name: groups[name] for name in in_paper_order(groups)}


def score_values(models: pd.DataFrame, scores: Iterable[str]) -> np.ndarray:
  """[models, scores] of a frame of `pivot`, row after row in memory."""
  return np.ascontiguousarray(models[[*scores]].to_numpy(float))
