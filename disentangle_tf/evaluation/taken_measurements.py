"""Measurements with the settings of `evaluate`, each taken once."""

from __future__ import annotations

import typing
from collections.abc import Sequence

if typing.TYPE_CHECKING:
  from disentangle_tf.scoring.measurement import Measurement


def taken_measurements(
  measurements: Sequence[Measurement],
  *,
  num_points: int | str | None = None,
  num_test_points: int | str | None = None,
  sampled: bool = False,
) -> tuple[list[Measurement], dict[str, str]]:
  """Apply the settings that `evaluate` has for all measurements, and drop duplicates.

  `num_points` may make two measurements equal; a score whose name says "whole set" must
  not be that of fewer points. An option may make two predictors of a metric equal.

  Args:
    measurements: [`Measurement`].
    num_points, num_test_points, sampled: as for `evaluate`.

  Returns:
    ([`Measurement`], {name: reason} of those that equal an earlier one).
  """
  kept, repeated = [], {}
  for measurement in measurements:
    changed = measurement.with_points(num_points, num_test_points)
    changed = changed.with_sampled_codes() if sampled else changed
    same = [other for other in kept if changed.same_as(other)]
    if same:
      again = " (again)" if same[0].name == changed.name else ""
      repeated[changed.name + again] = (
        f"with these settings it is the same as {same[0].name}"
      )
    else:
      kept.append(changed)
  return kept, repeated


def reads(measurements: Sequence[Measurement], setting: str) -> bool:
  """Whether a setting of `evaluate` affects any of the measurements.

  Args:
    measurements: [`Measurement`], as the user listed them.
    setting: "num_points", "num_test_points" or "sampled".
  """
  if setting == "sampled":
    return any(m.sampled or m.with_sampled_codes().sampled for m in measurements)
  return any(setting in measurement.settings() for measurement in measurements)
