"""Measurements with the metric options that gin files and the command line set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from disentangle_tf import scoring
from disentangle_tf.commands.gin_bindings import CommandLineBindings
from disentangle_tf.commands.gin_internals import without_gin
from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  from disentangle_tf.scoring import Measurement


def configured_measurements(
  measurements: Iterable[Measurement], bindings: CommandLineBindings
) -> list[Measurement]:
  """Add the configured options of metrics to the measurements.

  If a metric's option has several values, the first of these counts:
    1. METRIC.OPTION on the command line,
    2. `options` of a `scoring.Measurement` that the configuration makes,
    3. METRIC.OPTION in a gin file; later files win,
    4. `options` of a `Measurement` of `scoring.protocols`,
    5. the metric's default.
  A binding changes every measurement of its metric. gin's wrapper of a metric is
  removed, so that configured values become options, which are recorded.

  Args:
    measurements: [`Measurement`], built from the configuration.
    bindings: the `CommandLineBindings`.
  """
  return [_configured(measurement, bindings) for measurement in measurements]


def _configured(measurement: Measurement, bindings: CommandLineBindings) -> Measurement:
  metric = without_gin(measurement.metric)
  in_files, on_command_line = bindings.options_of(measurement.metric)
  if "options" in bindings.arguments_set(type(measurement)):
    for name in on_command_line.keys() & measurement.options.keys():
      raise UserError(
        f"--gin_bindings set {name} of {measurement.name} twice, as an option of the "
        "metric and in scoring.Measurement.options: keep one"
      )
  found = measurement.with_metric(metric, in_files)
  if metric is measurement.metric:  # made by a protocol, not by gin
    found = found.with_options(in_files)
  return found.with_options(on_command_line)


def check_settings_of_all(
  arguments: Mapping[str, Any], bindings: CommandLineBindings
) -> None:
  """Raise a `UserError` for a setting of the command line that has no effect.

  The settings of points and sampling exist twice: `evaluate` sets them for all
  measurements, and each `Measurement` for itself. Those of `evaluate` win.

  Args:
    arguments: {argument of `evaluation.evaluate`: value}.
    bindings: the `CommandLineBindings`.
  """
  from disentangle_tf import evaluation
  from disentangle_tf.evaluation.taken_measurements import reads

  of_all = bindings.arguments_set(evaluation.evaluate)
  of_each = bindings.arguments_set(scoring.Measurement)
  for name in ("num_points", "num_test_points", "sampled"):
    if name in of_all and not reads(arguments["measurements"], name):
      raise UserError(
        f"evaluation.evaluate.{name} on the command line has no effect: none of these "
        "measurements reads it; leave it out"
      )
    if name in of_each and arguments.get(name):
      raise UserError(
        f"scoring.Measurement.{name} on the command line has no effect: "
        f"evaluation.evaluate.{name} = {arguments[name]!r} overrides it; set that "
        f"instead, or set it to {False if name == 'sampled' else None}"
      )
