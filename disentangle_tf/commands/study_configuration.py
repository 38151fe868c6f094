"""A study as gin files say it."""

import gin

from disentangle_tf.argument_checks import check_count
from disentangle_tf.commands.configured_measurements import configured_measurements
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.metric_settings import metric_settings
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.commands.shipped_files import shipped
from disentangle_tf.errors import UserError, suggest

_EXAMPLE = "gin/studies/michlo_figure_10.gin"


def read_study(files, bindings):
  """(the `Study`, the text of its configuration) of gin files and bindings."""
  from disentangle_tf import studies

  if not files:
    raise UserError(f"--gin_file is missing: try --gin_file {_EXAMPLE}")
  arguments = _arguments(files, bindings)
  return studies.Study(**arguments), gin.config_str()


def read_plots(files, bindings, figure=None):
  """The plots of gin files and bindings, which need not say what is trained.

  Args:
    files, bindings: gin files, and gin bindings that override them.
    figure: name of a figure of a paper, in place of files: one of `papers.FIGURES`, or
      of a shipped study, whose plots it then is.
  """
  if figure and files:
    raise UserError(f"--figure {figure} and --gin_file {files[0]}: keep one")
  if not (figure or files):
    raise UserError(
      "this table is not a study and has no plots of its own: add --figure "
      "locatello_all, another figure of docs/studies.md, or a --gin_file"
    )
  if figure:
    files, demanded = _figure_settings(figure)
    bindings = [*demanded, *bindings]
  plots = _arguments(files, bindings, optional=["runs"]).get("plots")
  if not plots:
    raise UserError(f"{', '.join(files)}: no studies.Study.plots to draw")
  return plots


def _figure_settings(name):
  """The (gin files, gin bindings) that name the plots of a figure."""
  from disentangle_tf import papers, studies

  known = sorted({*papers.FIGURES, *shipped("studies")})
  if name not in known:
    raise UserError(
      f"there is no figure {name!r}{suggest(name, known)} "
      f"(there are {', '.join(known)})"
    )
  if name not in papers.FIGURES:
    return [f"gin/studies/{name}.gin"], []
  plots = [
    f"@studies.{'figures.' * hasattr(studies.figures, plot.__name__)}{plot.__name__}"
    for plot in papers.FIGURES[name]
  ]
  return [], [f"studies.Study.plots = [{', '.join(plots)}]"]


def _arguments(files, bindings, optional=()):
  from disentangle_tf import studies

  if bindings:  # which may name anything of TensorFlow's
    start_tensorflow()
  read = read_configuration(files, bindings)
  arguments = read.arguments_for(studies.Study, _EXAMPLE, optional=optional)
  for plot in arguments.get("plots", ()):
    read.options_of(plot)  # it is called at the end
  read.check_read()
  return arguments


def check_runs(study, plans, read_again):
  """Raises a `UserError` for what would only be noticed once runs were trained.

  Every run's configuration is read, seeds excepted, and every plot is tried out.

  Args:
    study: the `Study`.
    plans: its [`Plan`].
    read_again: called when done, since reading replaces what was read before.
  """
  from disentangle_tf import studies

  start_tensorflow()
  try:
    for plan in plans:
      if plan.seed == plans[0].seed:
        read_configuration(plan.files, plan.bindings)
    names = _score_names(study.metrics)
  finally:
    read_again()
  for plot in study.plots:
    studies.rehearse(plot, plans, names)


def _score_names(metrics):
  """Names of the scores that `evaluate` will keep, as a study's metrics have it."""
  from disentangle_tf import studies
  from disentangle_tf.evaluation.taken_measurements import taken_measurements

  read = read_configuration(*metric_settings(metrics))
  try:
    found = gin.get_bindings("evaluation.evaluate")
  except ValueError:  # gin has never heard of it
    found = {}
  if not found.get("measurements"):
    raise UserError(f"{metrics} sets no evaluation.evaluate.measurements")
  settings = ("num_points", "num_test_points", "sampled")
  taken, _ = taken_measurements(
    configured_measurements(found["measurements"], read),
    **{name: found[name] for name in settings if name in found},
  )
  repeats = found.get("repeats", 1)
  check_count("evaluate", repeats=repeats)
  return studies.score_names(taken, repeats=repeats)
