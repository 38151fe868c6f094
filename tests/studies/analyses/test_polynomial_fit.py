import numpy as np
import pytest

from disentangle_tf.studies.analyses import polynomial_fit

_SPACINGS = np.repeat(np.arange(1.0, 9.0), 5)


def _quartic(x):
  return 0.7 - 0.3 * x + 0.11 * x**2 - 0.02 * x**3 + 0.001 * x**4


def test_an_exact_quartic_goes_through_every_point():
  fit = polynomial_fit(
    _SPACINGS, _quartic(_SPACINGS), resamples=50, at=np.arange(1.0, 9.0)
  )
  np.testing.assert_allclose(fit.y, _quartic(fit.x), atol=1e-10)
  np.testing.assert_allclose(fit.low, fit.y, atol=1e-8)
  np.testing.assert_allclose(fit.high, fit.y, atol=1e-8)
  assert fit.degree == 4


def test_the_band_is_around_the_curve():
  noise = 0.1 * np.random.default_rng(0).normal(size=len(_SPACINGS))
  fit = polynomial_fit(_SPACINGS, _quartic(_SPACINGS) + noise, resamples=300)
  assert (fit.low < fit.y).all() and (fit.y < fit.high).all()
  inside = (fit.low <= _quartic(fit.x)) & (_quartic(fit.x) <= fit.high)
  assert inside.mean() > 0.7 and len(fit.x) == 100
  assert fit.num_resamples == 300


def test_few_places_lower_the_degree():
  fit = polynomial_fit([1, 1, 2, 2], [0.1, 0.3, 0.5, 0.7], resamples=40)
  assert fit.degree == 1 and 0 < fit.num_resamples < 40
  np.testing.assert_allclose(fit.y[[0, -1]], [0.2, 0.6])
  point = polynomial_fit([3, 3], [0.2, 0.4], resamples=0)
  assert point.degree == 0 and point.low is None
  np.testing.assert_allclose(point.y, 0.3)


def test_the_same_seed_gives_the_same_band():
  y = np.random.default_rng(1).random(len(_SPACINGS))
  first, second = (polynomial_fit(_SPACINGS, y, resamples=20) for _ in range(2))
  np.testing.assert_array_equal(first.low, second.low)
  other = polynomial_fit(_SPACINGS, y, resamples=20, rng=1)
  assert (other.low != first.low).any()
  assert first.y == pytest.approx(other.y)
