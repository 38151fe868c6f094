"""Draws a model: reconstructions, traversals, samples, heat-maps and distances.

  python bin/visualize.py --model runs/mine/export --output_dir runs/mine/pictures
  python bin/visualize.py --model a.onnx --data dsprites --output_dir runs/a
  python bin/visualize.py --data manipulated --gin_bindings 'FOLDER="a"' --output_dir p

The data set is that of --data, or else the one that an export names. Without a data
set, only pictures of the decoder are drawn. Without a model, the command draws how the
images of a manipulated set were changed.

The loss of the distances is that of a gin file that sets LOSS, such as those of
gin/losses; otherwise the one that the model's manifest records; otherwise MSE.
settings.json records the settings. Models are scanned and run in the sandbox of
bin/evaluate.py, see docs/evaluating.md.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from absl import flags

from disentangle_tf.arguments import check_instance
from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.command_line import checked_output_dir, start_tensorflow
from disentangle_tf.commands.gin_configuration import find_data, read_for

if TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData

_EXAMPLE = "gin/losses/mse.gin"


def visualize(values: flags.FlagValues) -> None:
  """Draw the model, or the changes of a manipulated set."""
  model = values.model if values.data else command_line.required(values, "model")
  output_dir = checked_output_dir(values)
  options = foreign_flags.options(values, of_model=bool(model))
  if values.data:
    find_data(values.data)
  start_tensorflow()
  from disentangle_tf import pictures

  given = {"output_dir": output_dir, "overwrite": values.overwrite}
  arguments = _arguments(values, given=("model", "table", *given))
  data, has_loss = arguments.pop("data", None), arguments.get("loss") is not None
  with _opened(model, data, options, has_loss=has_loss) as subject:
    written = pictures.visualize(**(arguments | subject), **given)
  print(f"written to {output_dir}: {', '.join(written)}")


def _arguments(values: flags.FlagValues, *, given: tuple[str, ...]) -> dict[str, Any]:
  """The arguments of `pictures.visualize`, except those `given` by the caller."""
  from disentangle_tf import pictures

  bindings = read_for(
    "pictures.visualize",
    files=values.gin_file,
    bindings=values.gin_bindings,
    data=values.data,
    macros={"data": "DATA", "loss": "LOSS"},
  )
  unread = () if values.model else ("loss", "num_traversals")  # of a model's distances
  arguments = bindings.arguments_for(
    pictures.visualize, _EXAMPLE, given=(*given, *unread)
  )
  bindings.check_read()
  return arguments


@contextlib.contextmanager
def _opened(
  path: str | None,
  data: GroundTruthData | None,
  options: dict[str, Any],
  *,
  has_loss: bool,
) -> Iterator[dict[str, Any]]:
  """The model, its data set, codes and loss, as arguments of `pictures.visualize`."""
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.scoring import CodesTable

  if data is not None:
    check_instance("visualize", GroundTruthData, "@data.XYSquares()", data=data)
  if not path:
    yield {"model": None, "data": data}
    return
  with foreign_flags.opened_model(path, data, options, has_loss=has_loss) as subject:
    model, data = subject["model"], subject["data"]
    if data is not None:
      reconstruct = model.reconstruct if model.can_reconstruct else None
      table = CodesTable.of_model(model.encode, data, reconstruct=reconstruct)
      subject["table"] = table
    yield subject


def main() -> None:
  """Entry point of bin/visualize.py and dtf_visualize."""
  values = command_line.gin_flags()
  flags.DEFINE_string(
    "model",
    None,
    "Folder of a SavedModel, or an .onnx or .keras file; none for a manipulated set.",
    flag_values=values,
  )
  command_line.define_data_flag(values, "Data set")
  foreign_flags.define(values)
  command_line.run(visualize, values, __doc__)


if __name__ == "__main__":
  main()
