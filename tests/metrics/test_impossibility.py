"""Theorem 1 of Locatello et al. 2019, by its own construction.

For any independent factors z there is a bijection f that mixes all of them and leaves
their distribution as it is. A generative model x = g(z) is then also x = h(z') with
z' = f(z) and h = g after the inverse of f. Both give the same images with the same
prior, so no unsupervised method can know which of them made the data, and a code that
is perfect for the one is entangled for the other.
"""

import numpy as np
import pytest
from scipy import stats

from disentangle_tf import metrics

PRIOR = [stats.uniform(-1, 2), stats.norm(), stats.expon()]
HOUSEHOLDER = np.eye(3) - 2 * np.full((3, 3), 1 / 3)  # orthogonal, without zeros
POINTS = 20_000


def _draw(seed):
  rng = np.random.default_rng(seed)
  return np.stack([law.rvs(POINTS, random_state=rng) for law in PRIOR], axis=1)


def _mixed(z):
  """f(z): to independent normals, through the orthogonal matrix, and back."""
  columns = zip(PRIOR, z.T, strict=True)
  normal = np.stack(
    [stats.norm.ppf(law.cdf(column)) for law, column in columns], axis=1
  )
  turned = stats.norm.cdf(normal @ HOUSEHOLDER)
  return np.stack(
    [law.ppf(column) for law, column in zip(PRIOR, turned.T, strict=True)], 1
  )


def test_the_mixed_factors_have_the_same_distribution():
  mixed = _mixed(_draw(0))
  for law, column in zip(PRIOR, mixed.T, strict=True):
    assert stats.kstest(column, law.cdf).pvalue > 0.001
  # They are jointly independent, not only uncorrelated.
  halves = mixed > [law.median() for law in PRIOR]
  cells = np.bincount(halves @ [1, 2, 4], minlength=8)
  assert stats.chisquare(cells).pvalue > 0.001
  ranks = stats.spearmanr(np.abs(mixed)).statistic
  assert np.abs(ranks - np.eye(3)).max() < 4 / np.sqrt(POINTS)


def test_every_factor_changes_every_mixed_factor():
  z, step = _draw(1)[:200], 1e-4
  inside = np.all(
    [abs(law.cdf(c) - 0.5) < 0.49 for law, c in zip(PRIOR, z.T, strict=True)], 0
  )
  z = z[inside]
  for factor in range(3):
    moved = z + step * np.eye(3)[factor]
    assert (np.abs(_mixed(moved) - _mixed(z)) > 1e-3 * step).all()


def test_f_is_a_bijection():
  z = _draw(2)
  # The Householder matrix is its own inverse, and so is f.
  assert _mixed(_mixed(z)) == pytest.approx(z, abs=1e-6)


def test_what_disentangles_the_one_model_does_not_the_other():
  z = _draw(3)
  perfect = metrics.mig(z, z)["mig"]
  assert metrics.mig(_mixed(z), z)["mig"] < 0.35 < 0.9 < perfect
  # From the other side, z is entangled.
  assert metrics.mig(z, _mixed(z))["mig"] < 0.35
  assert metrics.mig(_mixed(z), _mixed(z))["mig"] == pytest.approx(perfect, abs=0.05)
