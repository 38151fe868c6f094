"""Interventions: drawing points of a factor space with one factor set to a value."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.points import check_codes

_POINTS_AT_ONCE = 2**17  # bounds the memory that points and codes take


class Interventions:
  """Draws points that exist and have a given value of a given factor.

  Args:
    space: a `FactorSpace`, or anything with its `sizes` and `draw`. If it has `points`,
      as a `PartialFactorSpace` has, only these exist.
  """

  def __init__(self, space):
    self.space = space
    self.existing = getattr(space, "points", None)
    counts = [len(self.values(position)) for position in range(len(space.sizes))]
    self.varying = np.flatnonzero(np.array(counts) > 1)  # positions of these factors
    self._groups = {}

  def values(self, position):
    """The values that a factor takes."""
    if self.existing is None:
      return np.arange(self.space.sizes[position])
    return np.unique(self.existing[:, position])

  def set_values(self, points, positions, values, rng):
    """`points` with the factor at `positions` set to `values`, all [points].

    Where not every combination exists, each is a uniform draw from the points that have
    the value; what the other factors were does not matter then.
    """
    points = np.array(points)
    if self.existing is None:
      points[np.arange(len(points)), positions] = values
      return points
    positions, values = np.broadcast_arrays(positions, values)
    for position in np.unique(positions):
      rows = positions == position
      points[rows] = self._draw(position, values[rows], rng)
    return points

  def draw_batches(self, positions, batch_size, rng):
    """Batches that share the value of one factor each, that of a uniform point.

    Args:
      positions: [batches] the factors that are shared.

    Returns:
      [batches * batch_size, factors].
    """
    points = self.space.draw(len(positions) * batch_size, rng)
    firsts = points[::batch_size]
    values = firsts[np.arange(len(positions)), positions]
    return self.set_values(
      points, np.repeat(positions, batch_size), np.repeat(values, batch_size), rng
    )

  def _draw(self, position, values, rng):
    if position not in self._groups:
      column = self.existing[:, position]
      counts = np.bincount(column, minlength=self.space.sizes[position])
      self._groups[position] = np.argsort(column, kind="stable"), counts
    order, counts = self._groups[position]
    starts = np.cumsum(counts) - counts
    return self.existing[order[starts[values] + rng.integers(counts[values])]]


def check_interventions(space, *, least=1):
  """The `Interventions` on a space with at least that many factors that vary."""
  interventions = Interventions(space)
  if len(interventions.varying) < least:
    raise UserError(f"a score needs {least} or more factors that take several values")
  return interventions


def batch_counts(num_batches, batch_size):
  """Sizes of the portions in which batches are best drawn."""
  portion = max(_POINTS_AT_ONCE // batch_size, 1)
  full, rest = divmod(num_batches, portion)
  return [portion] * full + [rest] * (rest > 0)


def checked_codes(codes_of, points):
  """Codes of `points` from a metric's `codes_of`, checked: [points, latents]."""
  codes = check_codes(codes_of(points))
  if len(codes) != len(points):
    raise UserError(f"codes_of gave {len(codes)} codes for {len(points)} points")
  return codes
