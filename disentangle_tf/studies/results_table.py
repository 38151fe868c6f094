"""The results of a study as a tidy pandas frame: one row per model, step and score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.model_scores import MODEL_COLUMNS, MODEL_ORDER, pivot
from disentangle_tf.studies.titles import lower_is_better

if TYPE_CHECKING:
  import pandas as pd

  Rows = pd.DataFrame | Mapping[str, Sequence[Any]] | Iterable[Mapping[str, Any]]

COLUMNS = (
  "run", "method", "data", "setting", "strength", "seed", "step", "score", "value",
)  # fmt: skip
_TEXT = ("run", "method", "data", "setting", "score")
_WHOLE = ("strength", "seed", "step")


def results_table(
  rows: Rows,
  *,
  taken: str | None = None,
  planned: int | None = None,
) -> pd.DataFrame:
  """Check the scores of a study's models, and bring their rows into canonical order.

  A score that failed is a missing row: no value is ever NaN. The attributes `attrs` of
  the frame record `taken`, `planned`, and the number of `models`.

  Args:
    rows: data frame, {column: values}, or one {column: value} per row, with
      run: text, unique for each model;
      method: label, such as "beta-VAE";
      data: name of the data set;
      setting: canonical text of all swept settings but seed and data, "BETA=4.0";
      strength: place 0, 1, ... of the setting in its method's own sweep;
      seed: of the training;
      step: training step at which the score was taken;
      score: its name, such as "mig";
      value: a finite number.
    taken: which of several steps the rows hold: "best", "last", or None if all.
    planned: number of models that the study will have; None if unknown.

  Raises:
    UserError: if columns are missing, values have the wrong type, a model has two
      methods, data sets, settings, strengths or seeds, or a score occurs twice.
  """
  table = _frame(rows)
  for name in _TEXT:
    if table[name].dtype != "str":
      table[name] = table[name].map(str).astype("str")
  for name in _WHOLE:
    if len(table) and table[name].dtype.kind not in "iu":
      raise UserError(
        f"the column {name} of a results table has values that are not whole"
      )
    table[name] = table[name].astype(np.int64)
  table["value"] = _finite(table["value"])
  _check_rows(table)
  table = table.sort_values([*MODEL_ORDER, "step", "score"], ignore_index=True)
  table.attrs = {"taken": taken, "planned": planned, "models": _num_models(table)}
  return table


def concatenate(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
  """Join the rows of several tables, all of which hold the same steps.

  The numbers of planned models add up if all of them are known.

  Args:
    tables: results tables of different models.
  """
  import pandas as pd

  tables = list(tables)
  taken = {str(table.attrs.get("taken")): table.attrs.get("taken") for table in tables}
  if len(taken) > 1:
    raise UserError(
      "best and last scores of training do not compare: the tables hold "
      f"{', '.join(sorted(taken))}"
    )
  plans = [planned_models(table) for table in tables]
  return results_table(
    pd.concat(tables),
    taken=next(iter(taken.values()), None),
    planned=None if None in plans else sum(plan or 0 for plan in plans),
  )


def select(table: pd.DataFrame, **wanted: Any) -> pd.DataFrame:
  """The rows whose columns have these values.

  Args:
    table: results table.
    wanted: for each column a value, or a list or set of them. Values that no row has
      are no error, because models may be missing.

  Example: `select(table, score=["mig", "sap"], data="cars3d")`.
  """
  mask = np.ones(len(table), bool)
  for name, values in wanted.items():
    if name not in COLUMNS:
      raise UserError(f"a results table has no column {name!r}{suggest(name, COLUMNS)}")
    listed = isinstance(values, list | tuple | set | frozenset | np.ndarray)
    mask &= table[name].isin(list(values) if listed else [values]).to_numpy()
  return table[mask]


def one_step(table: pd.DataFrame, which: str) -> pd.DataFrame:
  """One row per model and score: the best or the last of all training steps.

  The best of many noisy evaluations is biased upwards, so best and last scores must
  never be compared: a table that holds the one cannot give the other.

  Args:
    table: results table.
    which: "best", the highest value of training (the lowest of scores that are better
      when lower; the earliest of equal ones), or "last", the one at the largest step.
  """
  if which not in ("best", "last"):
    raise UserError(f'which is {which!r}: it must be "best" or "last"')
  taken = table.attrs.get("taken")
  if taken == which:
    return table
  if taken is not None:
    raise UserError(
      f"the table holds only the {taken} scores of training: its {which} ones are "
      "not known"
    )
  merit = table["step"]
  if which == "best":
    signs = {name: -1 if lower_is_better(name) else 1 for name in set(table["score"])}
    merit = table["value"] * table["score"].map(signs).astype(float)
  ranked = table.assign(merit=merit, place=np.arange(len(table))).sort_values(
    ["merit", "step"], ascending=[False, True]
  )
  places = ranked.drop_duplicates(["run", "score"])["place"]
  found = table.iloc[np.sort(places.to_numpy())]
  found.attrs = {**table.attrs, "taken": which}
  return found


def planned_models(table: pd.DataFrame) -> int | None:
  """Number of models the study will have; None if unknown, or some were left out."""
  complete = _num_models(table) == table.attrs.get("models")
  return table.attrs.get("planned") if complete else None


def missing_models(table: pd.DataFrame, scores: Iterable[str] | None = None) -> int:
  """Number of models that lack one of the scores.

  If the number of planned models is unknown, each setting of each method is expected
  on each data set with each seed that occurs.

  Args:
    table: results table of one step per model.
    scores: names; all of the table by default.
  """
  wide = pivot(table, scores)
  complete = len(wide.dropna())
  expected = planned_models(table)
  if expected is None:
    settings = len(table[["method", "setting"]].drop_duplicates())
    expected = settings * table["data"].nunique() * table["seed"].nunique()
  return max(expected - complete, 0)


def _num_models(table: pd.DataFrame) -> int:
  return int(table["run"].nunique())


def _frame(rows: Rows) -> pd.DataFrame:
  """A new frame with the columns of a results table, still unchecked."""
  import pandas as pd

  if not isinstance(rows, pd.DataFrame | Mapping):
    rows = list(rows)
    for row in rows:
      if set(row) != set(COLUMNS):
        raise UserError(
          f"a row of a results table is {row!r}: it must have {', '.join(COLUMNS)}"
        )
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
  else:
    columns: Any = rows
  if set(columns) != set(COLUMNS):
    raise UserError(
      f"a results table has the columns {', '.join(COLUMNS)}, not "
      f"{', '.join(map(str, columns))}"
    )
  try:
    return pd.DataFrame({name: columns[name] for name in COLUMNS})
  except ValueError:
    sizes = {name: len(columns[name]) for name in COLUMNS}
    raise UserError(
      f"the columns of a results table differ in length: {sizes}"
    ) from None


def _finite(values: pd.Series) -> pd.Series:
  try:
    values = values.astype(np.float64)
  except (TypeError, ValueError) as error:
    raise UserError(f"a results table has a value that is no number: {error}") from None
  if not np.isfinite(values).all():
    raise UserError(
      "a results table has a value that is not finite: a score that failed is a "
      "missing row"
    )
  return values


def _check_rows(table: pd.DataFrame) -> None:
  models = table[[*MODEL_COLUMNS]].drop_duplicates()
  runs = models.loc[models["run"].duplicated(), "run"]
  if len(runs):
    alike = models[models["run"] == runs.iloc[0]]
    name = next(name for name in MODEL_COLUMNS if alike[name].nunique() > 1)
    raise UserError(f"run {runs.iloc[0]!r} has more than one {name}")
  twice = table[table.duplicated(["run", "step", "score"])]
  if len(twice):
    run, step, score = twice[["run", "step", "score"]].iloc[0]
    raise UserError(f"run {run!r} has the score {score!r} at step {step} twice")
