"""beta_vae_score and factor_vae_score, which draw batches that share a factor."""

import numpy as np
import pytest
from metric_checks import check_is_scores, golden_case

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.partial_factor_space import PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.metrics import beta_vae_score, factor_vae_score

SPACE = FactorSpace(("a", "b", "c"), (3, 4, 5))
FEW = {"num_train": 300, "num_eval": 200}
both = pytest.mark.parametrize("metric", [beta_vae_score, factor_vae_score])


def _identity(factors):
  return factors.astype(np.float32)


def _noise(seed=0, latents=4):
  rng = np.random.default_rng(seed)
  return lambda factors: rng.normal(size=(len(factors), latents))


def _mixed(factors):
  return factors @ np.array([[1.0, 1, 1], [1, -1, 0], [1, 1, -2]])


@both
def test_perfect_code(metric):
  scores = metric(SPACE, _identity, **FEW)
  check_is_scores(scores)
  assert scores["train_accuracy"] == scores["eval_accuracy"] == 1.0


@both
def test_random_code_is_at_chance(metric):
  scores = metric(SPACE, _noise(), num_train=1000, num_eval=1000)
  assert scores["eval_accuracy"] == pytest.approx(1 / 3, abs=0.06)


def test_mixed_code_is_not_perfect():
  scores = factor_vae_score(SPACE, _mixed, **FEW)
  assert scores["active_latents"] == 3
  assert 0.4 < scores["eval_accuracy"] < 0.95


@both
def test_seeded(metric):
  scores = metric(SPACE, _noise(), **FEW, rng=3)
  assert scores == metric(SPACE, _noise(), **FEW, rng=3)
  assert scores == metric(SPACE, _noise(), **FEW, rng=np.random.default_rng(3))
  assert scores != metric(SPACE, _noise(), **FEW, rng=4)


@both
def test_draw_is_asked_seldom_and_for_a_bounded_number_of_points(metric):
  asked = []

  def codes_of(factors):
    asked.append(len(factors))
    return _identity(factors)

  metric(SPACE, codes_of, batch_size=64, num_train=3000, num_eval=100)
  assert len(asked) <= 6
  assert max(asked) <= 2**17


@both
def test_constant_latents(metric):
  def codes_of(factors):
    return np.insert(factors.astype(np.float32), 1, 0.3, axis=1)

  scores = metric(SPACE, codes_of, **FEW)
  assert scores["eval_accuracy"] == 1.0
  check_is_scores(metric(SPACE, lambda factors: 0.3 + 0.0 * factors, **FEW))


def test_active_latents_are_counted():
  def codes_of(factors):
    return factors * [1.0, 1e-3, 1.0]

  assert factor_vae_score(SPACE, codes_of, **FEW)["active_latents"] == 2
  everything = factor_vae_score(SPACE, codes_of, **FEW, threshold=0)
  assert everything == {
    "train_accuracy": 1.0,
    "eval_accuracy": 1.0,
    "active_latents": 3.0,
  }
  nothing = factor_vae_score(SPACE, lambda f: 0.3 + 0.0 * f, **FEW, threshold=0)
  assert set(nothing.values()) == {0.0}


@both
def test_factors_of_one_value(metric):
  space = FactorSpace(("a", "b", "c"), (3, 1, 4))
  assert metric(space, _identity, **FEW)["eval_accuracy"] == 1.0
  alone = metric(FactorSpace(("a", "b"), (1, 3)), _noise(), **FEW)
  assert alone["train_accuracy"] == alone["eval_accuracy"] == 1.0
  with pytest.raises(UserError, match="1 or more factors"):
    metric(FactorSpace(("a",), (1,)), _identity)


@both
def test_spaces_with_holes(metric):
  points = [p for p in np.ndindex(SPACE.sizes) if sum(p) % 4]
  space = PartialFactorSpace(SPACE.names, SPACE.sizes, points)

  def codes_of(factors):
    space.to_index(factors)  # or it raises
    return _identity(factors)

  assert metric(space, codes_of, **FEW)["eval_accuracy"] > 0.98


@both
@pytest.mark.parametrize("name", ["batch_size", "num_train", "num_eval"])
def test_counts(metric, name):
  with pytest.raises(UserError, match=name):
    metric(SPACE, _identity, **{name: 0})


def test_one_point_has_no_variance():
  with pytest.raises(UserError, match="single point"):
    factor_vae_score(SPACE, _identity, batch_size=1)


def golden_draw(arrays, seed):
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


@both
@pytest.mark.parametrize(
  ("case", "num_train"),
  [
    ("2", 2000),
    *(pytest.param(case, 2000, marks=pytest.mark.slow) for case in "1345"),
    *(pytest.param(case, 10_000, marks=pytest.mark.slow) for case in "25"),
  ],
)
def test_golden(metric, case, num_train):
  metrics, arrays = golden_case(case)
  name = "beta_vae_sklearn" if metric is beta_vae_score else "factor_vae_score"
  num_eval = num_train // 2
  expected = metrics[f"{name}_{num_train}_{num_eval}"]
  sizes = arrays["factor_sizes"]
  space = FactorSpace([str(i) for i in range(len(sizes))], sizes)
  counts = {"num_train": num_train, "num_eval": num_eval}
  runs = [
    metric(space, golden_draw(arrays, seed), **counts, rng=seed) for seed in range(5)
  ]
  for name in ("train_accuracy", "eval_accuracy"):
    mean, std = expected["mean"][name], expected["std"][name]
    spread = 4 * std * np.sqrt(1 / len(runs) + 1 / expected["num_seeds"])
    assert np.mean([run[name] for run in runs]) == pytest.approx(
      mean, abs=spread + 0.005
    )
