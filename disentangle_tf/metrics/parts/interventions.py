"""Interventions: drawing points of a factor space with one factor set to a value."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.points import check_codes

CodesOf = Callable[[np.ndarray], np.ndarray]  # points [N, factors] to [N, latents]
_POINTS_AT_ONCE = 2**17  # bounds the memory that points and codes take


class Space(Protocol):
  """The part of a data set's `FactorSpace` that metrics use."""

  sizes: tuple[int, ...]

  def draw(self, num_points: int, rng: np.random.Generator) -> np.ndarray: ...

  def traversal(self, factors: np.ndarray, factor: int | np.integer) -> np.ndarray: ...


class Interventions:
  """Draws existing points that have a given value of a given factor.

  Args:
    space: a `FactorSpace`, or any object with its `sizes`, `draw` and `traversal`. If
      it has `points`, as a `PartialFactorSpace` has, only these exist.
  """

  def __init__(self, space: Space) -> None:
    self.space = space
    self.existing: np.ndarray | None = getattr(space, "points", None)
    counts = [len(self.values(position)) for position in range(len(space.sizes))]
    self.varying = np.flatnonzero(np.array(counts) > 1)  # positions of factors
    self._groups = {}

  def values(self, position: int | np.integer) -> np.ndarray:
    """Values that a factor takes."""
    if self.existing is None:
      return np.arange(self.space.sizes[position])
    return np.unique(self.existing[:, position])

  def set_values(
    self,
    points: np.ndarray,
    positions: int | np.ndarray,
    values: np.ndarray,
    rng: np.random.Generator,
  ) -> np.ndarray:
    """Copy of `points` with the factor at `positions` set to `values`.

    If not every combination of factors exists, each point is drawn uniformly from those
    that have the value; the other factors of `points` are then ignored.

    Args:
      points: `[points, factors]`.
      positions: the factor of each point `[points]`, or one for all.
      values: `[points]`, the new value of each point.
      rng: draws the points.
    """
    points = np.array(points)
    if self.existing is None:
      points[np.arange(len(points)), positions] = values
      return points
    positions, values = np.broadcast_arrays(positions, values)
    for position in np.unique(positions):
      rows = positions == position
      points[rows] = self._draw(self.existing, position, values[rows], rng)
    return points

  def draw_batches(
    self, positions: np.ndarray, batch_size: int, rng: np.random.Generator
  ) -> np.ndarray:
    """Batches whose points share a random value of one factor.

    Args:
      positions: `[batches]`, the shared factor of each batch.
      batch_size: points per batch.
      rng: draws the points.

    Returns:
      `[batches * batch_size, factors]`.
    """
    points = self.space.draw(len(positions) * batch_size, rng)
    firsts = points[::batch_size]
    values = firsts[np.arange(len(positions)), positions]
    return self.set_values(
      points, np.repeat(positions, batch_size), np.repeat(values, batch_size), rng
    )

  def _draw(
    self,
    existing: np.ndarray,
    position: np.integer,
    values: np.ndarray,
    rng: np.random.Generator,
  ) -> np.ndarray:
    if position not in self._groups:
      column = existing[:, position]
      counts = np.bincount(column, minlength=self.space.sizes[position])
      self._groups[position] = np.argsort(column, kind="stable"), counts
    order, counts = self._groups[position]
    starts = np.cumsum(counts) - counts
    return existing[order[starts[values] + rng.integers(counts[values])]]


def check_interventions(space: Space, *, least: int = 1) -> Interventions:
  """`Interventions` on a space with at least `least` factors that vary."""
  interventions = Interventions(space)
  if len(interventions.varying) < least:
    raise UserError(f"a score needs {least} or more factors that take several values")
  return interventions


def batch_counts(num_batches: int, batch_size: int) -> list[int]:
  """Numbers of batches to draw at a time, so that memory stays bounded."""
  portion = max(_POINTS_AT_ONCE // batch_size, 1)
  full, rest = divmod(num_batches, portion)
  return [portion] * full + [rest] * (rest > 0)


def checked_codes(codes_of: CodesOf, points: np.ndarray) -> np.ndarray:
  """Codes of `points` from a metric's `codes_of`, checked: `[points, latents]`."""
  codes = check_codes(codes_of(points))
  if len(codes) != len(points):
    raise UserError(f"codes_of gave {len(codes)} codes for {len(points)} points")
  return codes
