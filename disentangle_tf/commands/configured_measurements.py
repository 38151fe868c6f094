"""Measurements with the options that gin files and the command line set of metrics."""

from disentangle_tf import scoring
from disentangle_tf.commands.gin_internals import without_gin
from disentangle_tf.errors import UserError


def configured_measurements(measurements, bindings):
  """The measurements with what the configuration says of their metrics.

  Of several values of a metric's option the first of these counts:
    1. METRIC.OPTION on the command line,
    2. `options` of an `scoring.Measurement` that the configuration makes,
    3. METRIC.OPTION in a gin file, of which later ones win,
    4. `options` of a `Measurement` of `scoring.protocols`,
    5. the metric's default.
  A binding changes every measurement of its metric. gin's wrapper of a metric is taken
  off, so that what the configuration says is among the options, which are recorded.

  Args:
    measurements: [`Measurement`], built from the configuration.
    bindings: the `CommandLineBindings`.
  """
  return [_configured(measurement, bindings) for measurement in measurements]


def _configured(measurement, bindings):
  metric = without_gin(measurement.metric)
  in_files, on_command_line = bindings.options_of(measurement.metric)
  if "options" in bindings.said_of(type(measurement)):
    for name in on_command_line.keys() & measurement.options.keys():
      raise UserError(
        f"--gin_bindings set {name} of {measurement.name} twice, as an option of the "
        "metric and in scoring.Measurement.options: keep one"
      )
  found = measurement.with_metric(metric, in_files)
  if metric is measurement.metric:  # gin did not make it: it is a protocol's
    found = found.with_options(in_files)
  return found.with_options(on_command_line)


def check_settings_of_all(arguments, bindings):
  """Raises a `UserError` for a setting of the command line that would change nothing.

  Points and sampling are settings of `evaluate`, for all measurements, and of each
  `Measurement`, for itself; the former win.

  Args:
    arguments: of `evaluation.evaluate`.
    bindings: the `CommandLineBindings`.
  """
  from disentangle_tf import evaluation
  from disentangle_tf.evaluation.taken_measurements import reads

  of_all = bindings.said_of(evaluation.evaluate)
  of_each = bindings.said_of(scoring.Measurement)
  for name in ("num_points", "num_test_points", "sampled"):
    if name in of_all and not reads(arguments["measurements"], name):
      raise UserError(
        f"evaluation.evaluate.{name} on the command line: no measurement here reads "
        "it, so it would change nothing; leave it out"
      )
    if name in of_each and arguments.get(name):
      raise UserError(
        f"scoring.Measurement.{name} on the command line: evaluation.evaluate."
        f"{name} = {arguments[name]!r} takes its place; set that, or set it to "
        f"{False if name == 'sampled' else None}"
      )
