"""Trains a model as a gin file describes, and exports it.

  python bin/train.py --gin_file gin/runs/demo_overlap.gin --output_dir runs/mine
  python bin/train.py --gin_file gin/runs/michlo.gin --cpu_size --output_dir runs/small

Writes config.gin, checkpoints/, tensorboard/ and export/ to the output folder.
--cpu_size shrinks any run of gin/runs to minutes on a CPU.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import (
  checked_output_dir,
  next_command,
  start_tensorflow,
)
from disentangle_tf.commands.configured_measurements import configured_measurements
from disentangle_tf.commands.cpu_size import at_cpu_size
from disentangle_tf.commands.gin_configuration import configured, read_configuration
from disentangle_tf.commands.gin_record import changed_setting, used_settings
from disentangle_tf.commands.held_signals import held_signals
from disentangle_tf.errors import UserError


def train(values: flags.FlagValues) -> None:
  """Train and export the configured model."""
  if not values.gin_file:
    raise UserError("--gin_file is missing: try --gin_file gin/runs/demo_overlap.gin")
  output_dir = None if values.dry_run else checked_output_dir(values)
  files = at_cpu_size(values.gin_file) if values.cpu_size else values.gin_file
  with held_signals():
    start_tensorflow(files, values.gin_bindings)
    exported = configured_training(files, values.gin_bindings)(
      output_dir=output_dir,
      resume=values.resume,
      overwrite=values.overwrite,
      dry_run=values.dry_run,
    )
  if exported and exported.exists():  # some workers of a cluster do not write it
    print(f"exported to {exported}; next:\n{_next_step(exported)}")


def configured_training(
  files: Sequence[str], bindings: Sequence[str]
) -> Callable[..., pathlib.Path | None]:
  """Read gin files and bindings into `training.train`.

  Returns:
    `training.train` with the configured arguments; its caller adds `output_dir`,
    `resume`, `overwrite` and `dry_run`.
  """
  from disentangle_tf import training

  command_line_bindings = read_configuration(files, bindings)

  description = training.RunDescription(
    text=command_line_bindings.checked_text,
    file_name="config.gin",
    changed_setting=changed_setting,
    hyper_parameters=used_settings,
    measurements=lambda listed: configured_measurements(listed, command_line_bindings),
  )
  train_ = configured(training.train, "gin/runs/demo_overlap.gin")
  return functools.partial(train_, description=description)


def _next_step(exported: pathlib.Path) -> str:
  """The command that scores an export, or draws it if its data has no ground truth."""
  from disentangle_tf import data
  from disentangle_tf.data.serialisation import is_made_here
  from disentangle_tf.export import read_manifest

  config = read_manifest(exported)["data"]
  has_factors = getattr(getattr(data, config["class"], None), "has_factors", True)
  name, folder = ("evaluate", "scores") if has_factors else ("visualize", "pictures")
  output_dir = exported.with_name(folder)
  words: list[object] = ["--model", exported, "--output_dir", output_dir]
  if not is_made_here(config):  # the user's own data set, which a file must name
    words += ["--data", exported.with_name("config.gin")]
  elif not _needs_no_files(config):
    words.append("--trusted")
  if output_dir.exists():
    words.append("--overwrite")
  return next_command(name, *words)


def _needs_no_files(config: dict[str, Any]) -> bool:
  """Whether the data is made without files, so that any manifest may name it."""
  from disentangle_tf.data import check_foreign_data

  try:
    check_foreign_data(config)
  except UserError:
    return False
  return True


def main() -> None:
  """Entry point of bin/train.py and dtf_train."""
  values = command_line.training_flags()
  flags.DEFINE_bool(
    "dry_run",
    False,
    "Build everything, print the configuration, and stop.",
    flag_values=values,
  )
  flags.DEFINE_bool(
    "cpu_size",
    False,
    "Shrink the run to minutes on a CPU: small images and networks, few steps. Files "
    "after the run's own still win.",
    flag_values=values,
  )
  command_line.run(train, values, __doc__)


if __name__ == "__main__":
  main()
