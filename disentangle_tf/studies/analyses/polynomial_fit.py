"""A polynomial through scattered scores, with a bootstrap band around it."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike


@dataclasses.dataclass(frozen=True)
class PolynomialFit:
  """A fitted curve.

  Attributes:
    x, y: [places], the curve.
    low, high: [places], 95 % bootstrap band; None without resamples.
    degree: of the polynomial, lower than requested if x has too few different values.
    num_resamples: number of bootstrap resamples with enough different x to be fitted.
  """

  x: np.ndarray
  y: np.ndarray
  low: np.ndarray | None
  high: np.ndarray | None
  degree: int
  num_resamples: int


def polynomial_fit(
  x: ArrayLike,
  y: ArrayLike,
  *,
  degree: int = 4,
  num_places: int = 100,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 777,
  at: ArrayLike | None = None,
) -> PolynomialFit:
  """Least squares with a bootstrap band over points: figure 9 of Michlo et al. 2023.

  Args:
    x, y: [points], finite.
    degree: of the polynomial; at most one less than there are different x.
    num_places: of the curve, evenly spaced from the smallest to the largest x.
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


def _curve(x: np.ndarray, y: np.ndarray, degree: int, places: np.ndarray) -> np.ndarray:
  # Of x in [-1, 1] the equations are well conditioned.
  domain = [x.min(), x.max()] if degree else [x.min() - 1, x.max() + 1]
  return np.polynomial.Polynomial.fit(x, y, degree, domain=domain)(places)
