"""Measurements as `evaluate` takes them: with its points, and each of them once."""


def taken_measurements(
  measurements, *, num_points=None, num_test_points=None, sampled=False
):
  """The measurements with the settings that `evaluate` has for all of them.

  Two lists of points may become one by `num_points`, and a score named after the whole
  set must not stand for fewer. Two predictors of a metric may become one by an option.

  Args:
    measurements: [`Measurement`].
    num_points, num_test_points, sampled: as of `evaluate`.

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


def reads(measurements, setting):
  """Whether a setting of `evaluate` changes any of the measurements.

  Args:
    measurements: [`Measurement`], as they were listed.
    setting: "num_points", "num_test_points" or "sampled".
  """
  if setting == "sampled":
    return any(m.sampled or m.with_sampled_codes().sampled for m in measurements)
  return any(setting in measurement.settings() for measurement in measurements)
