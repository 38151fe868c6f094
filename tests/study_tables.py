"""Made-up results tables, and what every analysis of one promises; no TensorFlow."""

import dataclasses

import numpy as np
import pandas as pd

from disentangle_tf.studies.results_table import COLUMNS, results_table, select
from disentangle_tf.studies.titles import METHODS, METRICS

DATA = ("dsprites", "color_dsprites", "noisy_dsprites")
_DOWNSTREAM = {10: 0.25, 100: 0.4, 1_000: 0.6, 10_000: 0.75}


def table_of(values, *, scores=("mig",), data=None, methods=None):
  """Of values [scores, data sets, methods, strengths, seeds]; NaN is a missing row."""
  _, num_data, num_methods, _, _ = values.shape
  data = data or [f"set {number}" for number in range(num_data)]
  methods = methods or [f"method {number}" for number in range(num_methods)]
  rows = [
    row_of(data[d], methods[m], strength, seed, scores[n], value)
    for (n, d, m, strength, seed), value in np.ndenumerate(values)
    if np.isfinite(value)
  ]
  return results_table(rows)


def row_of(data, method, strength, seed, score, value, *, step=100, setting=None):
  """A row of a table; its run is named after method, data, setting and seed."""
  setting = setting or f"BETA={2.0**strength!r}"
  return {
    "run": f"{data}/{method}/{setting}/seed_{seed}",
    "method": method,
    "data": data,
    "setting": setting,
    "strength": int(strength),
    "seed": int(seed),
    "step": int(step),
    "score": score,
    "value": float(value),
  }


def made_up_study(*, data=DATA, num_strengths=6, num_seeds=5, seed=0):
  """A study of the shape of Locatello et al.'s, with made-up but plausible effects.

  Every model has a hidden quality of data set, method, strength and chance; metrics,
  downstream accuracies and total correlations follow it more or less.
  """
  rng = np.random.default_rng(seed)
  rows = []
  taste = rng.normal(size=(len(METHODS), num_strengths)) * 0.5  # what all sets share
  for d, name in enumerate(data):
    own = taste if d < 2 else rng.normal(size=taste.shape) * 0.5
    for m, method in enumerate(METHODS):
      for k in range(num_strengths):
        for s in range(num_seeds):
          quality = own[m, k] + 0.6 * rng.normal() - 0.15 * d
          for score, value in _scores(quality, m, k, rng).items():
            rows.append(row_of(name, method, k, s, score, value))
  return results_table(rows)


def _scores(quality, method, strength, rng):
  def follow(share, middle, spread):
    mixed = share * quality + np.sqrt(1 - share**2) * rng.normal()
    return middle + spread * mixed

  scores = dict(
    zip(
      METRICS,
      np.clip(
        [
          follow(0.9, 0.8, 0.08),
          follow(0.9, 0.65, 0.1),
          follow(0.8, 0.2, 0.08),
          follow(0.7, 0.35, 0.1),
          follow(0.1, 0.8, 0.04),
          follow(0.3, 0.05, 0.02),
        ],
        0,
        1,
      ),
      strict=True,
    )
  )
  sampled = np.exp(
    1 - 0.3 * strength * (method != 1) - (method == 3) + follow(0, 0, 0.2)
  )
  scores["sampled_gaussian_total_correlation"] = sampled
  rise = -0.2 if method == 3 else 0.35 * strength
  scores["gaussian_total_correlation"] = sampled * np.exp(rise + follow(0, 0.2, 0.2))
  reconstruction, kl = follow(-0.3, 60 + 8 * strength, 6), follow(0.2, 20 - strength, 2)
  scores |= {"reconstruction_nats": reconstruction, "kl": kl}
  scores["elbo"] = -reconstruction - kl
  for end, lift in (("", 0.0), ("_gradient_boosting", 0.04)):
    for size, middle in _DOWNSTREAM.items():
      accuracy = float(np.clip(follow(0.6, middle + lift, 0.05), 0.05, 1))
      scores[f"accuracy_{size}{end}"] = accuracy
    few, many = scores[f"accuracy_100{end}"], scores[f"accuracy_10000{end}"]
    scores[f"efficiency{end}"] = few / many
  return scores


def shuffled(table, seed=0):
  """The same rows in another order."""
  return table.iloc[np.random.default_rng(seed).permutation(len(table))]


def without_a_tenth(table, seed=0):
  """The rows of nine tenths of the models, and all but a tenth of the rows of those."""
  rng = np.random.default_rng(seed)
  runs = np.array(sorted(table["run"].unique()))
  kept = select(table, run=runs[rng.random(len(runs)) > 0.1])
  return kept[rng.random(len(kept)) > 0.1]


def only(table, **columns):
  """The table without the rows that have all of these values."""
  mask = np.ones(len(table), bool)
  for name, value in columns.items():
    mask &= (table[name] == value).to_numpy()
  return table[~mask]


def run_analysis_test(analysis, table):
  """Checks what every analysis promises.

  The order of the rows changes no byte; a tenth of the models and scores may be
  missing, and no cell is NaN that is not masked; the table is left as it was.

  Args:
    analysis: function of a table.
    table: results table.
  """
  before = table.copy()
  found = list(arrays_of(analysis(table)))
  assert found
  again = list(arrays_of(analysis(shuffled(table))))
  assert [_bytes(one) for one in found] == [_bytes(one) for one in again]
  for array in [*found, *arrays_of(analysis(without_a_tenth(table)))]:
    if isinstance(array, np.ma.MaskedArray):
      array = array.compressed()
    if array.dtype.kind == "f":
      assert np.isfinite(array).all()
  pd.testing.assert_frame_equal(table, before, check_exact=True)
  assert list(table) == list(COLUMNS)


def arrays_of(result):
  """Every array and name in dictionaries, tuples and dataclasses, as arrays."""
  if dataclasses.is_dataclass(result):
    result = [getattr(result, field.name) for field in dataclasses.fields(result)]
  if isinstance(result, dict):
    result = [part for pair in result.items() for part in pair]
  if isinstance(result, list | tuple):
    for part in result:
      yield from arrays_of(part)
  elif isinstance(result, np.ndarray):
    yield result
  elif result is not None:
    yield np.asarray(result)


def _bytes(array):
  if isinstance(array, np.ma.MaskedArray):
    return np.ma.getmaskarray(array).tobytes(), array.filled(0).tobytes()
  return array.tobytes(), array.dtype.kind
