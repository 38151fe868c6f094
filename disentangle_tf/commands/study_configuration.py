"""A study as gin files say it."""

import gin

from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.errors import UserError

_EXAMPLE = "gin/studies/michlo_figure_10.gin"


def read_study(files, bindings):
  """(the `Study`, the text of its configuration) of gin files and bindings."""
  from disentangle_tf import studies

  read = read_configuration(files, bindings)
  arguments = read.arguments_for(studies.Study, _EXAMPLE)
  for plot in arguments.get("plots", ()):
    read.options_of(plot)  # it is called at the end
  read.check_read()
  return studies.Study(**arguments), gin.config_str()


def check_runs(study, plans, read_again):
  """Raises a `UserError` for what would only be noticed once runs were trained.

  Every run's configuration is read, seeds excepted, and every plot is tried out.

  Args:
    study: the `Study`.
    plans: its [`Plan`].
    read_again: called when done, since reading replaces what was read before.
  """
  from disentangle_tf import studies
  from disentangle_tf.commands.quiet_start import start_tensorflow

  start_tensorflow()
  try:
    for plan in plans:
      if plan.seed == plans[0].seed:
        read_configuration(plan.files, plan.bindings)
    names = studies.score_names(_measurements(study.metrics))
  finally:
    read_again()
  for plot in study.plots:
    studies.rehearse(plot, plans, names)


def _measurements(file):
  """What the gin file `file` says to measure."""
  read_configuration([file], [])
  try:
    found = gin.get_bindings("evaluation.evaluate").get("measurements")
  except ValueError:  # gin has never heard of it
    found = None
  if not found:
    raise UserError(f"{file} sets no evaluation.evaluate.measurements")
  return found
