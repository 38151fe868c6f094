import json

import numpy as np
import pytest

from disentangle_tf.metrics import dci
from disentangle_tf.metrics.dci import completeness, disentanglement

RNG = np.random.default_rng(0)


def _points(count, factors=2, values=3):
  return RNG.integers(values, size=(count, factors))


def test_perfect_code():
  factors, test_factors = _points(300), _points(100)
  scores = dci(factors * 1.0, factors, test_factors * 1.0, test_factors, num_jobs=1)
  assert scores == {
    "disentanglement": pytest.approx(1.0, abs=1e-3),
    "completeness": pytest.approx(1.0, abs=1e-3),
    "informativeness_train": 1.0,
    "informativeness_test": 1.0,
  }


def test_random_code_is_at_chance():
  factors, test_factors = _points(300), _points(300)
  codes, test_codes = RNG.normal(size=(2, 300, 4))
  scores = dci(codes, factors, test_codes, test_factors, num_jobs=1)
  assert scores["informativeness_test"] == pytest.approx(1 / 3, abs=0.08)
  assert scores["disentanglement"] < 0.1


def test_seeded_and_the_same_in_parallel():
  factors, test_factors = _points(60), _points(60)
  codes = factors + RNG.normal(size=(60, 2))
  arguments = (codes, factors, codes, test_factors)
  assert dci(*arguments, num_jobs=1) == dci(*arguments, num_jobs=2)


def test_known_matrices():
  identity = np.eye(3)
  uniform = np.ones((3, 3)) / 3
  assert disentanglement(identity) == completeness(identity) == pytest.approx(1)
  assert disentanglement(uniform) == pytest.approx(0, abs=1e-6)
  # One latent serves both factors: disentangled not at all, complete entirely.
  shared = np.array([[1.0, 1.0], [0.0, 0.0]])
  assert disentanglement(shared) == pytest.approx(0, abs=1e-6)
  assert completeness(shared) == pytest.approx(1, abs=1e-6)
  assert disentanglement(np.zeros((2, 2))) == pytest.approx(0, abs=1e-6)


def test_a_factor_with_one_value_needs_no_latent():
  factors = np.stack([np.arange(90) % 3, np.zeros(90, int)], axis=1)
  scores = dci(factors * 1.0, factors, factors * 1.0, factors, num_jobs=1)
  assert scores["completeness"] == pytest.approx(1, abs=1e-3)
  assert scores["informativeness_test"] == 1.0


@pytest.mark.parametrize("case", "12345")
def test_golden_scores_of_golden_importances(shared_folder, case):
  scores = _golden(shared_folder, case)["metrics"]["dci_2000_1000"]["scores"]
  importance = np.array(scores["importance_matrix"])
  assert disentanglement(importance) == pytest.approx(
    scores["disentanglement"], abs=1e-9
  )
  assert completeness(importance) == pytest.approx(scores["completeness"], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("case", "12345")
def test_golden(shared_folder, case):
  golden = _golden(shared_folder, case)
  arrays = np.load(shared_folder / "golden" / "public" / golden["file"])
  scores = dci(
    arrays["codes_train"][:2000],
    arrays["factors_train"][:2000],
    arrays["codes_test"][:1000],
    arrays["factors_test"][:1000],
  )
  expected = golden["metrics"]["dci_2000_1000"]["scores"]
  for name, score in scores.items():
    assert score == pytest.approx(expected[name], abs=0.01)


def _golden(shared_folder, case):
  path = shared_folder / "golden" / "public" / "expected.json"
  return json.loads(path.read_text())["cases"][case]
