"""Draws what a model does: reconstructions, traversals, samples, heat-maps, distances.

  python bin/visualize.py --model runs/mine/export --output_dir runs/mine/pictures
  python bin/visualize.py --model theirs/saved_model --data dsprites --output_dir runs/p

The data set is the one an export names, unless --data names another; without any, only
what the decoder shows by itself is drawn. Models are looked at and confined as by
bin/evaluate.py, see docs/evaluating.md. --gin_file gin/losses/NAME.gin names the loss
of the distances, if it is not MSE.
"""

from absl import flags

from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.gin_configuration import (
  configured,
  find_data,
  read_configuration,
)
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.output_files import check_output_dir


def visualize(values):
  """Reads the configuration and draws."""
  model = command_line.required(values, "model")
  output_dir = command_line.required(values, "output_dir")
  check_output_dir(output_dir, overwrite=values.overwrite)
  options = foreign_flags.options(values)
  files = list(values.gin_file)
  bindings = [*values.gin_bindings, f"evaluation.visualize.model = {model!r}"]
  if any("losses/" in file for file in files):
    bindings.append("evaluation.visualize.loss = %LOSS")
  if values.data:
    files.append(find_data(values.data))
    bindings.append("evaluation.visualize.data = %DATA")
  start_tensorflow()
  from disentangle_tf import evaluation

  read_configuration(files, bindings)
  written = configured(evaluation.visualize, "gin/losses/mse.gin")(
    output_dir=output_dir, overwrite=values.overwrite, **options
  )
  print(f"written to {output_dir}: {', '.join(written)}")


def main():
  """Entry point of bin/visualize.py and dtf_visualize."""
  values = command_line.gin_flags()
  flags.DEFINE_string(
    "model",
    None,
    "Folder of a SavedModel, or an .onnx or .keras file.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "data",
    None,
    "Data set to draw with: NAME of gin/data/NAME.gin.",
    flag_values=values,
  )
  foreign_flags.define(values)
  command_line.run(visualize, values, __doc__)


if __name__ == "__main__":
  main()
