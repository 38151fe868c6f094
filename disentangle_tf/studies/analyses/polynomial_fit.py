"""A polynomial through scattered scores, with a bootstrap band around it."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class PolynomialFit:
  """A fitted curve.

  Attributes:
    x, y: [places], the curve.
    low, high: [places], 95 % bootstrap band; None if it could not be had.
    degree: of the polynomial, lower than asked for where there are too few places.
    num_resamples: how many bootstrap resamples had places enough to be fitted.
  """

  x: np.ndarray
  y: np.ndarray
  low: np.ndarray | None
  high: np.ndarray | None
  degree: int
  num_resamples: int


def polynomial_fit(
  x, y, *, degree=4, num_places=100, resamples=1_000, rng=777, at=None
):
  """Least squares, and the same of points drawn again: figure 9 of Michlo et al. 2023.

  Args:
    x, y: [points], finite.
    degree: of the polynomial; at most one less than there are different x.
    num_places: of the curve, evenly from the least to the largest x.
    resamples: of the bootstrap, which draws points; 0 for none. Resamples with too few
      different x cannot be fitted and are left out.
    rng: seed or `numpy.random.Generator`; 777 in the paper's code.
    at: [places] of the curve instead of even ones.

  Returns:
    `PolynomialFit`.
  """
  x, y = np.asarray(x, float), np.asarray(y, float)
  degree = min(degree, len(np.unique(x)) - 1)
  places = np.linspace(x.min(), x.max(), num_places) if at is None else np.asarray(at)
  rng = np.random.default_rng(rng)
  drawn = rng.integers(len(x), size=(resamples, len(x)))
  curves = [
    _curve(x[each], y[each], degree, places)
    for each in drawn
    if len(np.unique(x[each])) > degree
  ]
  low, high = np.percentile(curves, [2.5, 97.5], axis=0) if curves else (None, None)
  return PolynomialFit(
    x=places,
    y=_curve(x, y, degree, places),
    low=low,
    high=high,
    degree=degree,
    num_resamples=len(curves),
  )


def _curve(x, y, degree, places):
  # Of x in [-1, 1] the equations are well conditioned.
  domain = [x.min(), x.max()] if degree else [x.min() - 1, x.max() + 1]
  return np.polynomial.Polynomial.fit(x, y, degree, domain=domain)(places)
