import numpy as np
import pytest

from disentangle_tf.metrics import dci_es
from disentangle_tf.metrics._dci_es import area_explicitness

RNG = np.random.default_rng(0)
FACTORS = RNG.integers(8, size=(600, 2))
TEST_FACTORS = RNG.integers(8, size=(300, 2))


def _score(encode):
  codes = [encode(points.astype(float)) for points in (FACTORS, TEST_FACTORS)]
  return dci_es(codes[0], FACTORS, codes[1], TEST_FACTORS, depths=(1, 2, 3, 4, 6))


def test_known_curves():
  assert area_explicitness([0, 1, 2], [1.0, 0.0, 0.0]) == pytest.approx(0.5)
  assert area_explicitness([0, 1, 2, 4], [1.0, 0.75, 0.5, 0.0]) == pytest.approx(0.0)
  # All of it at the first of four steps, and a rest at the last.
  early = area_explicitness([0, 1, 4], [1.0, 0.01, 0.0])
  late = area_explicitness([0, 3, 4], [1.0, 0.99, 0.0])
  assert early == pytest.approx(1 - (0.505 + 0.015) / 2)
  assert late < 0 < early
  assert area_explicitness([0, 1], [1.0, 1.2]) == 0.0


def test_an_explicit_code_beats_a_hidden_one():
  """The values themselves, against a sum that wraps round."""
  plain = _score(lambda f: f)
  hidden = _score(lambda f: np.stack([f.sum(1) % 8, f[:, 1]], axis=1))
  assert plain["dci_explicitness"] > hidden["dci_explicitness"] + 0.1
  assert plain["dci_size"] == hidden["dci_size"] == 1.0


def test_size_counts_latents():
  assert _score(lambda f: np.tile(f, 2))["dci_size"] == 0.5


def test_a_random_code_explains_nothing():
  noise = iter(RNG.normal(size=(2, 600, 2)))
  scores = _score(lambda f: next(noise)[: len(f)])
  assert scores["dci_explicitness"] < 0.5
  assert np.isfinite(list(scores.values())).all()


def test_seeded_and_the_same_in_parallel():
  codes, test_codes = FACTORS + RNG.normal(size=(600, 2)), TEST_FACTORS * 1.0
  arguments = (codes, FACTORS, test_codes, TEST_FACTORS)
  one, two = (dci_es(*arguments, depths=(1, 3), num_jobs=jobs) for jobs in (1, 2))
  assert one == pytest.approx(two, abs=1e-9)
