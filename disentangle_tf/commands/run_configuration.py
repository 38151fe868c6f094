"""A run of a study as its gin files and bindings say it."""

import functools

import gin

from disentangle_tf.commands.evaluate import evaluate_arguments
from disentangle_tf.commands.metric_settings import metric_settings
from disentangle_tf.commands.train import configured_training
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.run import GIVEN, Run


def read_run(plan: Plan) -> Run:
  """Read what a `Plan` trains and how it is scored.

  gin holds one configuration at a time, and the training reads its own while it runs.
  So the metrics are read first.
  """
  from disentangle_tf import evaluation, training
  from disentangle_tf.data.serialisation import data_to_config, is_made_here

  arguments = metric_arguments(plan.metrics)
  train = configured_training(plan.files, plan.bindings)
  data = gin.get_bindings(training.train).get("data")
  # A manifest names this package's data sets only; others come from the training.
  if data is not None and not is_made_here(data_to_config(data)):
    arguments["data"] = data
  return Run(train, functools.partial(evaluation.evaluate, **arguments))


def metric_arguments(metrics: str) -> dict:
  """Read the arguments of `evaluation.evaluate` that a study's metrics set.

  Args:
    metrics: name of a protocol, or a gin file.
  """
  return evaluate_arguments(*metric_settings(metrics), given=GIVEN)
