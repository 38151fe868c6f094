"""The tidy table of a study's scores: one row per model, step and score."""

import numpy as np

from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.model_scores import ModelScores
from disentangle_tf.studies.score_direction import lower_is_better

_TEXT = ("run", "method", "data", "setting", "score")
_WHOLE = ("strength", "seed", "step")
COLUMNS = (
  "run", "method", "data", "setting", "strength", "seed", "step", "score", "value",
)  # fmt: skip
_OF_A_MODEL = ("method", "data", "setting", "strength", "seed")
_ORDER = ("data", "method", "strength", "setting", "seed", "run", "step", "score")


class ResultsTable:
  """Scores of the models of a study; every analysis is a function of this table.

  Rows are always in one canonical order, whatever the order in which they came, so that
  shuffled rows give the same results byte for byte. A score that failed is a missing
  row: no value is ever NaN.

  Args:
    columns: {name: [rows]} with
      run: text, unique for each model;
      method: label, such as "beta-VAE";
      data: name of the data set;
      setting: canonical text of all swept settings but seed and data, "BETA=4.0";
      strength: place 0, 1, ... of the setting in its method's own sweep;
      seed: of the training;
      step: of the training, at which the score was taken;
      score: its name, such as "mig";
      value: a finite number.
    taken: which of several steps the rows are of: "best", "last", or None if all are
      there.
    planned: how many models the study will have; None if that is not known.

  Attributes:
    taken, planned: as given.

  Example:
    >>> row = {"run": "a", "method": "beta-VAE", "data": "dsprites", "seed": 0,
    ...        "setting": "BETA=1", "strength": 0, "step": 100, "score": "mig",
    ...        "value": 0.25}
    >>> table = ResultsTable.from_rows([row])
    >>> table.pivot(["mig"]).values.tolist()
    [[0.25]]
  """

  def __init__(self, columns, *, taken=None, planned=None):
    if set(columns) != set(COLUMNS):
      raise UserError(
        f"a results table has the columns {', '.join(COLUMNS)}, not "
        f"{', '.join(columns)}"
      )
    if len({len(values) for values in columns.values()}) > 1:
      sizes = {name: len(values) for name, values in columns.items()}
      raise UserError(f"the columns of a results table differ in length: {sizes}")
    self.taken, self.planned = taken, planned
    self._names, self._codes = {}, {}
    for name in _TEXT:
      self._names[name], self._codes[name] = _coded(columns[name])
    for name in _WHOLE:
      self._codes[name] = _whole(name, columns[name])
    self._values = _finite(columns["value"])
    self._sort()
    self._check_rows()

  @classmethod
  def from_rows(cls, rows, **options):
    """Of a list of {column: value}; options as of the class."""
    rows = list(rows)
    for row in rows:
      if set(row) != set(COLUMNS):
        raise UserError(
          f"a row of a results table is {row!r}: it must have {', '.join(COLUMNS)}"
        )
    return cls({name: [row[name] for row in rows] for name in COLUMNS}, **options)

  @classmethod
  def concatenate(cls, tables):
    """All rows of several tables, which must have been `taken` alike.

    What was planned adds up, if all of them know it.
    """
    tables = list(tables)
    ways = {table.taken for table in tables}
    if len(ways) > 1:
      raise UserError(
        "the best scores of training and the last ones do not compare: the tables are "
        f"of {', '.join(sorted(str(way) for way in ways))}"
      )
    plans = [table.planned for table in tables]
    parts = [table.columns for table in tables]
    return cls(
      {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS},
      taken=ways.pop() if ways else None,
      planned=None if None in plans else sum(plans),
    )

  def __len__(self):
    return len(self._values)

  @property
  def columns(self):
    """{name: NumPy array [rows]}, in canonical order."""
    return {name: self.column(name) for name in COLUMNS}

  def column(self, name):
    """One column as a NumPy array [rows]."""
    if name == "value":
      return self._values.copy()
    codes = self._codes[name]
    return self._names[name][codes] if name in _TEXT else codes.copy()

  def names(self, column):
    """Distinct values of a column that is not `value`, sorted: a list."""
    present = np.unique(self._codes[column])
    return (self._names[column][present] if column in _TEXT else present).tolist()

  @property
  def num_models(self):
    """How many models have a score at all."""
    return len(np.unique(self._codes["run"]))

  def where(self, mask):
    """The rows at which `mask` [rows] is true.

    How many models were planned stays known only if no model is lost.
    """
    mask = np.asarray(mask, bool)
    table = object.__new__(ResultsTable)  # the rows are checked and in order already
    table._names, table.taken = self._names, self.taken
    table._codes = {name: codes[mask] for name, codes in self._codes.items()}
    table._values = self._values[mask]
    table._model_numbers = self._model_numbers[mask]
    table.planned = self.planned if table.num_models == self.num_models else None
    return table

  def select(self, **wanted):
    """The rows whose columns have these values: `select(score=["mig"], data="cars3d")`.

    Args:
      wanted: for each column a value, or a list of them. Values that no row has are no
        error, for models may be missing.
    """
    mask = np.ones(len(self), bool)
    for name, values in wanted.items():
      if name not in COLUMNS:
        raise UserError(
          f"a results table has no column {name!r}{suggest(name, COLUMNS)}"
        )
      listed = isinstance(values, list | tuple | set | frozenset | np.ndarray)
      values = list(values) if listed else [values]
      if name in _TEXT:
        chosen = np.isin(self._names[name], np.asarray(values, object).astype(str))
        mask &= chosen[self._codes[name]]
      else:
        mask &= np.isin(self.column(name), values)
    return self.where(mask)

  def which(self, which):
    """One row per model and score: its "best" or its "last" of all training steps.

    The best of many noisy evaluations is biased upwards, so the two never compare: a
    table of the one cannot become one of the other.

    Args:
      which: "best", the highest value of training (the lowest of scores that are
        better when lower), or "last", the one at the largest step.
    """
    if which not in ("best", "last"):
      raise UserError(f'which is {which!r}: it must be "best" or "last"')
    if self.taken == which:
      return self
    if self.taken is not None:
      raise UserError(
        f"the table has the {self.taken} scores of training only: its {which} ones are "
        "not known"
      )
    merit = self._codes["step"]
    if which == "best":
      lower = [lower_is_better(name) for name in self._names["score"].tolist()]
      sign = np.where(lower, -1.0, 1.0)
      merit = self._values * sign[self._codes["score"]]
    keys = self._codes["run"], self._codes["score"]
    # Of equal values the earliest is the best; by then the model was as good.
    order = np.lexsort((-self._codes["step"], merit, *keys))
    ends = np.ones(len(self), bool)
    ends[:-1] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    mask = np.zeros(len(self), bool)
    mask[order[ends]] = True
    table = self.where(mask)
    table.taken = which
    return table

  def pivot(self, scores=None):
    """`ModelScores`: one row per model, one column per score; what is missing, masked.

    Args:
      scores: names of the columns, in this order; all of the table by default. Models
        that have none of them are left out.
    """
    scores = self.names("score") if scores is None else list(scores)
    place = {name: column for column, name in enumerate(scores)}
    if len(place) < len(scores):
      raise UserError(f"a score is asked for twice: {', '.join(scores)}")
    columns = np.array([place.get(name, -1) for name in self._names["score"].tolist()])
    columns = columns.astype(int)[self._codes["score"]]
    chosen = np.flatnonzero(columns >= 0)
    runs, first, rows = np.unique(
      self._model_numbers[chosen], return_index=True, return_inverse=True
    )
    cells = rows * max(len(scores), 1) + columns[chosen]
    if len(np.unique(cells)) < len(cells):
      raise UserError(
        'models were scored at several steps: take which("best") or which("last") first'
      )
    values = np.full((len(runs), len(scores)), np.nan)
    values[rows, columns[chosen]] = self._values[chosen]
    models = {name: self.column(name)[chosen][first] for name in ("run", *_OF_A_MODEL)}
    return ModelScores(
      scores=tuple(scores), values=np.ma.masked_invalid(values), **models
    )

  def missing_models(self, scores=None):
    """How many models lack one of the scores, of all that there should be.

    If the number of `planned` models is not known, each setting of each method should
    be there on each data set with each seed that occurs.

    Args:
      scores: names; all of the table by default.
    """
    wide = self.pivot(scores)
    complete = int((~np.ma.getmaskarray(wide.values)).all(axis=1).sum())
    if self.planned is not None:
      return max(self.planned - complete, 0)
    settings = {
      *zip(self._codes["method"].tolist(), self._codes["setting"].tolist(), strict=True)
    }
    expected = len(settings) * len(self.names("data")) * len(self.names("seed"))
    return max(expected - complete, 0)

  def _sort(self):
    order = np.lexsort([self._codes[name] for name in reversed(_ORDER)])
    self._codes = {name: codes[order] for name, codes in self._codes.items()}
    self._values = self._values[order]
    # Models are numbered in the order of the rows.
    runs, first, inverse = np.unique(
      self._codes["run"], return_index=True, return_inverse=True
    )
    places = np.empty(len(runs), int)
    places[np.argsort(first)] = np.arange(len(runs))
    self._model_numbers = places[inverse]

  def _check_rows(self):
    first = np.full(int(self._codes["run"].max(initial=-1)) + 1, -1)
    for name in _OF_A_MODEL:
      first[self._codes["run"]] = self._codes[name]
      wrong = np.flatnonzero(first[self._codes["run"]] != self._codes[name])
      if len(wrong):
        raise UserError(
          f"run {self.column('run')[wrong[0]]!r} has more than one {name}"
        )
    keys = np.stack([self._codes[name] for name in ("run", "step", "score")])
    keys = keys[:, np.lexsort(keys)]
    twice = np.flatnonzero((np.diff(keys, axis=1) == 0).all(axis=0))
    if len(twice):
      run, step, score = keys[:, twice[0]]
      raise UserError(
        f"run {str(self._names['run'][run])!r} has the score "
        f"{str(self._names['score'][score])!r} at step {step} twice"
      )


def _coded(values):
  """(distinct texts, sorted; the place of each value among them)."""
  texts = [str(value) for value in values]
  names = sorted(set(texts))
  places = {name: place for place, name in enumerate(names)}
  codes = np.fromiter((places[text] for text in texts), np.int64, len(texts))
  return np.array(names, dtype=str), codes


def _whole(name, values):
  array = np.asarray(values)
  if not array.size:
    return array.astype(np.int64)
  if not np.issubdtype(array.dtype, np.integer):
    raise UserError(
      f"the column {name} of a results table has values that are not whole"
    )
  return array.astype(np.int64)


def _finite(values):
  try:
    array = np.asarray(values, np.float64)
  except (TypeError, ValueError) as error:
    raise UserError(f"a results table has a value that is no number: {error}") from None
  if not np.isfinite(array).all():
    raise UserError(
      "a results table has a value that is not finite: a score that failed is a "
      "missing row"
    )
  return array
