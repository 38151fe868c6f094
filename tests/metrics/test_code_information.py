import numpy as np
import pytest

from disentangle_tf import metrics
from disentangle_tf.errors import UserError


def _information(means, scales, seed=0):
  means = np.asarray(means, float)
  logarithms = np.broadcast_to(2 * np.log(scales), means.shape)
  return metrics.code_information(
    means, logarithms, rng=np.random.default_rng(seed)
  )["code_information"]  # fmt: skip


@pytest.mark.parametrize("scales", [(1.0, 1.0), (0.5, 2.0)])
def test_of_a_gaussian_source(scales):
  """Means of unit variance and noise of scale s: log(1 + 1 / s^2) / 2 per latent."""
  means = np.random.default_rng(1).normal(size=(4_000, 2))
  exact = sum(0.5 * np.log1p(1 / scale**2) for scale in scales)
  # 4,000 points, one draw of each: 0.01 is three standard errors.
  assert _information(means, scales) == pytest.approx(exact, abs=0.04)


def test_of_two_posteriors_by_integration():
  """Half of the points at -1, half at 1: one integral over the mixture."""
  z = np.linspace(-12, 12, 100_001)
  first = np.exp(-0.5 * (z - 1) ** 2) / np.sqrt(2 * np.pi)
  mixture = 0.5 * (first + first[::-1])
  exact = np.sum(first * np.log(first / mixture)) * (z[1] - z[0])
  means = np.repeat([[-1.0], [1.0]], 1_500, axis=0)
  assert _information(means, 1.0) == pytest.approx(exact, abs=0.02)


def test_limits():
  means = 100.0 * np.arange(300)[:, None]
  assert _information(means, 0.1) == pytest.approx(np.log(300))
  # Equal posteriors: rounding alone.
  assert _information(np.zeros((300, 3)), 1.0) == pytest.approx(0, abs=1e-9)


def test_a_constant_latent_of_prior_noise_adds_nothing():
  means = np.random.default_rng(2).normal(size=(1_000, 1))
  both = np.hstack([means, np.zeros_like(means)])
  assert _information(both, 1.0) == pytest.approx(_information(means, 1.0), abs=0.05)


def test_shapes_that_differ():
  with pytest.raises(UserError, match="differ"):
    metrics.code_information(
      np.zeros((3, 2)), np.zeros((3, 1)), rng=np.random.default_rng(0)
    )
