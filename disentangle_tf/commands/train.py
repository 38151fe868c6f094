"""Trains a model as a gin file says, and exports it.

  python bin/train.py --gin_file gin/runs/demo_overlap.gin --output_dir runs/mine
  python bin/train.py --gin_file gin/runs/michlo.gin --cpu_size --output_dir runs/small

writes config.gin, checkpoints/, tensorboard/ and export/ to the output folder.
--cpu_size makes any run of gin/runs small enough for minutes on a CPU.
"""

import functools

import gin
from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import next_command, start_tensorflow
from disentangle_tf.commands.configured_measurements import configured_measurements
from disentangle_tf.commands.cpu_size import at_cpu_size
from disentangle_tf.commands.gin_configuration import configured, read_configuration
from disentangle_tf.commands.gin_record import changed_setting, used_settings
from disentangle_tf.commands.held_signals import held_signals
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import check_output_dir


def train(values):
  """Reads the configuration and trains."""
  if not values.gin_file:
    raise UserError("--gin_file is missing: try --gin_file gin/runs/demo_overlap.gin")
  output_dir = None if values.dry_run else command_line.required(values, "output_dir")
  if output_dir:
    check_output_dir(output_dir, resume=values.resume, overwrite=values.overwrite)
  files = at_cpu_size(values.gin_file) if values.cpu_size else values.gin_file
  with held_signals():
    start_tensorflow(files, values.gin_bindings)
    exported = configured_training(files, values.gin_bindings)(
      output_dir=output_dir,
      resume=values.resume,
      overwrite=values.overwrite,
      dry_run=values.dry_run,
    )
  if exported and exported.exists():  # not yet for a worker that does not write it
    following = _what_comes_next(exported)
    print(f"exported to {exported}; what comes next:\n{following}")


def configured_training(files, bindings):
  """Read gin files and bindings into `training.train`.

  Returns:
    `training.train` with all that they set; its caller adds `output_dir`, `resume`,
    `overwrite` and `dry_run`.
  """
  from disentangle_tf import training

  command_line_bindings = read_configuration(files, bindings)

  def describe():
    command_line_bindings.check_read()
    return gin.operative_config_str()

  description = training.RunDescription(
    text=describe,
    file_name="config.gin",
    changed_setting=changed_setting,
    hyper_parameters=used_settings,
    measurements=lambda listed: configured_measurements(listed, command_line_bindings),
  )
  train_ = configured(training.train, "gin/runs/demo_overlap.gin")
  return functools.partial(train_, description=description)


def _what_comes_next(exported):
  """The command that scores it, or draws it if its data has no ground truth."""
  from disentangle_tf import data
  from disentangle_tf.data.serialisation import is_made_here
  from disentangle_tf.export import read_manifest

  config = read_manifest(exported)["data"]
  has_factors = getattr(getattr(data, config["class"], None), "has_factors", True)
  name, folder = ("evaluate", "scores") if has_factors else ("visualize", "pictures")
  output_dir = exported.with_name(folder)
  words = ["--model", exported, "--output_dir", output_dir]
  if not is_made_here(config):  # the user's own, which a file must name
    words += ["--data", exported.with_name("config.gin")]
  elif not _made_by_itself(config):
    words.append("--trusted")
  if output_dir.exists():
    words.append("--overwrite")
  return next_command(name, *words)


def _made_by_itself(config):
  """Whether the data is made again without files, as from anybody's manifest."""
  from disentangle_tf.data import check_strangers_set

  try:
    check_strangers_set(config)
  except UserError:
    return False
  return True


def main():
  """Entry point of bin/train.py and dtf_train."""
  values = command_line.training_flags()
  flags.DEFINE_bool(
    "dry_run",
    False,
    "Build everything, print the resolved configuration, and stop.",
    flag_values=values,
  )
  flags.DEFINE_bool(
    "cpu_size",
    False,
    "Make the run small enough for minutes on a CPU: small images and networks, few "
    "steps. Files after the run's own still win.",
    flag_values=values,
  )
  command_line.run(train, values, __doc__)


if __name__ == "__main__":
  main()
