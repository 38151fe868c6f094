"""What the tests of beta_vae_score and factor_vae_score share.

Both metrics draw batches that share a factor, and guess which one it was.
"""

import numpy as np
import pytest
from metric_checks import check_is_scores, golden_case

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.factor_space import PartialFactorSpace
from disentangle_tf.errors import UserError

SPACE = FactorSpace(("a", "b", "c"), (3, 4, 5))
FEW = {"num_train": 300, "num_eval": 200}


def identity(factors):
  """The perfect code."""
  return factors.astype(np.float32)


def run_shared_factor_test(metric):
  """Checks what both metrics promise: known codes, seeds, and odd spaces of factors."""
  _check_known_codes(metric)
  _check_seeds(metric)
  _check_that_codes_are_asked_for_in_portions(metric)
  _check_constant_latents(metric)
  _check_factors_of_one_value(metric)
  _check_spaces_with_holes(metric)
  for name in ("batch_size", "num_train", "num_eval"):
    with pytest.raises(UserError, match=name):
      metric(SPACE, identity, **{name: 0})


def check_golden(metric, name, case, num_train):
  """Checks means over seeds against disentanglement_lib's, within their spread."""
  metrics, arrays = golden_case(case)
  num_eval = num_train // 2
  expected = metrics[f"{name}_{num_train}_{num_eval}"]
  sizes = arrays["factor_sizes"]
  space = FactorSpace([str(i) for i in range(len(sizes))], sizes)
  counts = {"num_train": num_train, "num_eval": num_eval}
  runs = [
    metric(space, _golden_codes_of(arrays, seed), **counts, rng=seed)
    for seed in range(5)
  ]
  for score in ("train_accuracy", "eval_accuracy"):
    mean, std = expected["mean"][score], expected["std"][score]
    spread = 4 * std * np.sqrt(1 / len(runs) + 1 / expected["num_seeds"])
    assert np.mean([run[score] for run in runs]) == pytest.approx(
      mean, abs=spread + 0.005
    )


def _noise(seed=0, latents=4):
  rng = np.random.default_rng(seed)
  return lambda factors: rng.normal(size=(len(factors), latents))


def _check_known_codes(metric):
  scores = metric(SPACE, identity, **FEW)
  check_is_scores(scores)
  assert scores["train_accuracy"] == scores["eval_accuracy"] == 1.0
  chance = metric(SPACE, _noise(), num_train=1000, num_eval=1000)
  assert chance["eval_accuracy"] == pytest.approx(1 / 3, abs=0.06)


def _check_seeds(metric):
  scores = metric(SPACE, _noise(), **FEW, rng=3)
  assert scores == metric(SPACE, _noise(), **FEW, rng=3)
  assert scores == metric(SPACE, _noise(), **FEW, rng=np.random.default_rng(3))
  assert scores != metric(SPACE, _noise(), **FEW, rng=4)


def _check_that_codes_are_asked_for_in_portions(metric):
  asked = []

  def codes_of(factors):
    asked.append(len(factors))
    return identity(factors)

  metric(SPACE, codes_of, batch_size=64, num_train=3000, num_eval=100)
  assert len(asked) <= 6
  assert max(asked) <= 2**17


def _check_constant_latents(metric):
  def codes_of(factors):
    return np.insert(factors.astype(np.float32), 1, 0.3, axis=1)

  assert metric(SPACE, codes_of, **FEW)["eval_accuracy"] == 1.0
  check_is_scores(metric(SPACE, lambda factors: 0.3 + 0.0 * factors, **FEW))


def _check_factors_of_one_value(metric):
  space = FactorSpace(("a", "b", "c"), (3, 1, 4))
  assert metric(space, identity, **FEW)["eval_accuracy"] == 1.0
  alone = metric(FactorSpace(("a", "b"), (1, 3)), _noise(), **FEW)
  assert alone["train_accuracy"] == alone["eval_accuracy"] == 1.0
  with pytest.raises(UserError, match="1 or more factors"):
    metric(FactorSpace(("a",), (1,)), identity)


def _check_spaces_with_holes(metric):
  points = [p for p in np.ndindex(SPACE.sizes) if sum(p) % 4]
  space = PartialFactorSpace(SPACE.names, SPACE.sizes, points)

  def codes_of(factors):
    space.to_index(factors)  # or it raises
    return identity(factors)

  assert metric(space, codes_of, **FEW)["eval_accuracy"] > 0.98


def _golden_codes_of(arrays, seed):
  """Codes of the golden cases' representation, whose noise differs with the seed."""
  rng = np.random.default_rng([seed, 7])

  def codes_of(factors):
    columns = range(factors.shape[1])
    codes = sum(arrays["tables"][j, factors[:, j]].astype(float) for j in columns)
    if "product_tables" in arrays:
      parts = [arrays["product_tables"][j, factors[:, j]] for j in columns]
      codes = codes + np.prod(parts, axis=0, dtype=float)
    noise = arrays["noise_std"] * rng.normal(size=codes.shape)
    return (codes + noise).astype(np.float32)

  return codes_of
