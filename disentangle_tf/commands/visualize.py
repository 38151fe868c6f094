"""Draws what a model does: reconstructions, traversals, samples, heat-maps, distances.

  python bin/visualize.py --model runs/mine/export --output_dir runs/mine/pictures
  python bin/visualize.py --model theirs/saved_model --data dsprites --output_dir runs/p
  python bin/visualize.py --data manipulated --gin_bindings 'FOLDER="a"' --output_dir p

The data set is the one an export names, unless --data names another; without any, only
what the decoder shows by itself is drawn, and without a model how images of a
manipulated set were changed. Models are looked at and confined as by bin/evaluate.py,
see docs/evaluating.md. A gin file that sets LOSS, as those of gin/losses do, names the
loss of the distances; otherwise it is the one that the model was trained with, if it is
an export, which tells it, or else MSE. settings.json records what was drawn with which
settings.
"""

import contextlib

from absl import flags

from disentangle_tf.arguments import check_instance
from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.command_line import start_tensorflow
from disentangle_tf.commands.gin_configuration import find_data, read_for
from disentangle_tf.output_files import check_output_dir

_EXAMPLE = "gin/losses/mse.gin"


def visualize(values):
  """Reads the configuration and draws."""
  model = values.model if values.data else command_line.required(values, "model")
  output_dir = command_line.required(values, "output_dir")
  check_output_dir(output_dir, overwrite=values.overwrite)
  options = foreign_flags.options(values, of_model=bool(model))
  if values.data:
    find_data(values.data)
  start_tensorflow()
  from disentangle_tf import pictures

  bindings = read_for(
    "pictures.visualize",
    files=values.gin_file,
    bindings=values.gin_bindings,
    data=values.data,
    macros={"data": "DATA", "loss": "LOSS"},
  )
  given = {"output_dir": output_dir, "overwrite": values.overwrite}
  unread = () if model else ("loss", "num_traversals")  # of a model's distances
  arguments = bindings.arguments_for(
    pictures.visualize, _EXAMPLE, given=("model", "table", *given, *unread)
  )
  bindings.check_read()
  data, has_loss = arguments.pop("data", None), arguments.get("loss") is not None
  with _opened(model, data, options, has_loss=has_loss) as subject:
    written = pictures.visualize(**(arguments | subject), **given)
  print(f"written to {output_dir}: {', '.join(written)}")


@contextlib.contextmanager
def _opened(path, data, options, *, has_loss):
  """The model, the data and loss that it may name, and its codes, as arguments."""
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.evaluation.opening import open_model
  from disentangle_tf.export import loss_of_distances
  from disentangle_tf.scoring import CodesTable

  if data is not None:
    check_instance("visualize", GroundTruthData, "@data.XYSquares()", data=data)
  if not path:
    yield {"model": None, "data": data}
    return
  with open_model(path, data=data, **options) as (model, data, manifest):
    subject = {"model": model, "data": data}
    if data is not None:
      reconstruct = model.reconstruct if model.can_reconstruct else None
      table = CodesTable.of_model(model.encode, data, reconstruct=reconstruct)
      subject["table"] = table
      if not has_loss:
        subject["loss"] = loss_of_distances(manifest, path=path)
    yield subject


def main():
  """Entry point of bin/visualize.py and dtf_visualize."""
  values = command_line.gin_flags()
  flags.DEFINE_string(
    "model",
    None,
    "Folder of a SavedModel, or an .onnx or .keras file; none for a manipulated set.",
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
