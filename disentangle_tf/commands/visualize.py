"""Draws what a model does: reconstructions, traversals, samples, heat-maps, distances.

  python bin/visualize.py --model runs/mine/export --output_dir runs/mine/pictures
  python bin/visualize.py --model theirs/saved_model --data dsprites --output_dir runs/p

The data set is the one an export names, unless --data names another; without any, only
what the decoder shows by itself is drawn. Models are looked at and confined as by
bin/evaluate.py, see docs/evaluating.md. A gin file that sets LOSS, as those of
gin/losses do, names the loss of the distances; otherwise it is the one that the model
was trained with, if it is an export, which tells it, or else MSE.
"""

from absl import flags

from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.gin_configuration import find_data, read_for
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.output_files import check_output_dir

_EXAMPLE = "gin/losses/mse.gin"


def visualize(values):
  """Reads the configuration and draws."""
  model = command_line.required(values, "model")
  output_dir = command_line.required(values, "output_dir")
  check_output_dir(output_dir, overwrite=values.overwrite)
  options = foreign_flags.options(values)
  if values.data:
    find_data(values.data)
  start_tensorflow()
  from disentangle_tf import evaluation

  bindings = read_for(
    "evaluation.visualize",
    values,
    files=values.gin_file,
    macros={"data": "DATA", "loss": "LOSS"},
  )
  given = {"model": model, "output_dir": output_dir, "overwrite": values.overwrite}
  given |= options
  arguments = bindings.arguments_for(evaluation.visualize, _EXAMPLE, given=given)
  bindings.check_read()
  written = evaluation.visualize(**arguments, **given)
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
    "Data set to draw with: NAME of gin/data/NAME.gin, or a gin file that sets DATA.",
    flag_values=values,
  )
  foreign_flags.define(values)
  command_line.run(visualize, values, __doc__)


if __name__ == "__main__":
  main()
