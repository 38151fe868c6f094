"""Trains a model as a gin file says, and exports it.

  python bin/train.py --gin_file gin/runs/demo_overlap.gin --output_dir runs/mine

writes config.gin, checkpoints/, tensorboard/ and export/ to the output folder.
"""

import gin
from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.gin_configuration import configured, read_configuration
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.errors import UserError


def train(values):
  """Reads the configuration and trains."""
  if not values.gin_file:
    raise UserError("--gin_file is missing: try --gin_file gin/runs/demo_overlap.gin")
  output_dir = None if values.dry_run else command_line.required(values, "output_dir")
  start_tensorflow()
  from disentangle_tf import training

  read_configuration(values.gin_file, values.gin_bindings)
  exported = configured(training.train, "gin/runs/demo_overlap.gin")(
    output_dir=output_dir,
    resume=values.resume,
    overwrite=values.overwrite,
    dry_run=values.dry_run,
    describe=gin.operative_config_str,
  )
  if exported:
    print(f"exported to {exported}; score it: bin/evaluate.py --model {exported}")


def main():
  """Entry point of bin/train.py and dtf_train."""
  values = command_line.gin_flags()
  flags.DEFINE_bool(
    "resume", False, "Go on from the newest checkpoint.", flag_values=values
  )
  flags.DEFINE_bool(
    "dry_run",
    False,
    "Build everything, print the resolved configuration, and stop.",
    flag_values=values,
  )
  command_line.run(train, values, __doc__)


if __name__ == "__main__":
  main()
