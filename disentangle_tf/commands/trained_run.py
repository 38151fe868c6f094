"""A run that bin/train.py finished, as a Keras model that can go on learning."""

import pathlib

from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.errors import UserError


def run_data(folder):
  """The data set of a run.

  Args:
    folder: of the run.
  """
  return _arguments(folder)["data"]


def run_model(folder):
  """The model of a run, with the weights of its newest checkpoint.

  gin's configuration is that of the run afterwards.

  Args:
    folder: of the run.
  """
  from disentangle_tf import training
  from disentangle_tf.training.build_model import build_model
  from disentangle_tf.training.checkpoints import Checkpoints

  arguments = _arguments(folder)
  strategy = training.devices.default_strategy()
  model = build_model(
    arguments["model"], arguments["optimizer"], strategy=strategy, seed=0
  )
  checkpoints = pathlib.Path(folder) / "checkpoints"
  if not Checkpoints(model, checkpoints, keep=1, writes=False).restore():
    raise UserError(
      f"{folder} has no checkpoints, which are all that can go on learning: have the "
      'study keep them, studies.Study.keep = "all"'
    )
  return model


def _arguments(folder):
  """What the run called `training.train` with: {argument: value}."""
  from disentangle_tf import training

  configuration = pathlib.Path(folder) / "config.gin"
  if not configuration.is_file():
    raise UserError(f"{folder} is no run of bin/train.py: it has no config.gin")
  read = read_configuration([str(configuration)], [])
  return read.arguments_for(
    training.train, "gin/runs/demo_mse.gin", given=("output_dir",)
  )
