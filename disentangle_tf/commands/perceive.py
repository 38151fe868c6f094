r"""Shows how a reconstruction loss perceives a data set, before any training.

  python bin/perceive.py --gin_file gin/data/dsprites.gin --output_dir runs/seen
  python bin/perceive.py --gin_file gin/data/xysquares.gin \
      --gin_file gin/losses/overlap.gin --output_dir runs/seen_blurred
  python bin/perceive.py --gin_file gin/data/xysquares_small.gin --rank_losses \
      --output_dir runs/ranked
  python bin/perceive.py --model runs/mine/export --output_dir runs/seen_by_mine

Writes importance.json, agreement.json, a table and figures. If distances between
images do not grow with distances between factors, a VAE with this loss will not
disentangle. --model adds the distances in a trained model; --rank_losses compares a
list of losses.

The data set is that of --data, of a gin file that sets DATA, or of the model. The loss
is that of a gin file that sets LOSS, such as those of gin/losses; otherwise the one
that the model's manifest records; otherwise MSE. Models run in the sandbox of
bin/evaluate.py.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from absl import flags

from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.command_line import checked_output_dir, start_tensorflow
from disentangle_tf.commands.gin_configuration import find_data, read_for
from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.perceived import Perception

_EXAMPLE = "gin/data/xysquares.gin"


def perceive(values: flags.FlagValues) -> None:
  """Measure and draw how the configured loss perceives the data set."""
  if not (values.gin_file or values.data or values.model):
    raise UserError("--gin_file is missing: try --gin_file gin/data/xysquares.gin")
  output_dir = checked_output_dir(values)
  options = foreign_flags.options(values, of_model=bool(values.model))
  if values.data:
    find_data(values.data)
  start_tensorflow()
  from disentangle_tf import papers, perceived, pictures

  arguments = _arguments(values)
  data, has_loss = arguments.pop("data", None), arguments.get("loss") is not None
  with _opened(values.model, data, options, has_loss=has_loss) as subject:
    found = perceived.perceive(**(arguments | subject))
  published = papers.michlo_table_a1(found.data, found.loss)
  pictures.write_perceived(
    found, output_dir, overwrite=values.overwrite, published=published
  )
  _print(found, output_dir)


def _arguments(values: flags.FlagValues) -> dict[str, Any]:
  """The arguments of `perceived.perceive`, except the model."""
  from disentangle_tf import perceived

  bindings = read_for(
    "perceived.perceive",
    files=values.gin_file,
    bindings=values.gin_bindings,
    data=values.data,
    macros={"data": "DATA", "loss": "LOSS"},
  )
  given = {"rank_losses": True} if values.rank_losses else {}
  unread = () if values.model else ("symmetric",)  # compares posteriors of a model
  arguments = bindings.arguments_for(
    perceived.perceive,
    _EXAMPLE,
    given=("model", *given, *unread),
    optional=("data",) if values.model else (),
  )
  bindings.check_read()
  return arguments | given


@contextlib.contextmanager
def _opened(
  path: str | None,
  data: GroundTruthData | None,
  options: dict[str, Any],
  *,
  has_loss: bool,
) -> Iterator[dict[str, Any]]:
  """The data set, and the model and its loss if there is a model, as arguments."""
  if not path:
    yield {"data": data}
    return
  with foreign_flags.opened_model(path, data, options, has_loss=has_loss) as subject:
    if subject["data"] is None:
      raise UserError(f"{path} names no data set: add --data NAME")
    yield subject


def _print(found: Perception, output_dir: str) -> None:
  tables = {"importance": True, "ranking": found.ranking, "levels": found.levels}
  for name, is_written in tables.items():
    if is_written:
      with open(f"{output_dir}/{name}.md", encoding="utf-8") as file:
        print(file.read())
  if found.agreement["adversarial"]:
    print("adversarial: this loss perceives the same distance along every factor\n")
  print(f"written to {output_dir}")


def main() -> None:
  """Entry point of bin/perceive.py and dtf_perceive."""
  values = command_line.gin_flags()
  flags.DEFINE_bool(
    "rank_losses", False, "Also compare a list of losses.", flag_values=values
  )
  flags.DEFINE_string(
    "model",
    None,
    "Also measure this model: folder of a SavedModel, or an .onnx or .keras file.",
    flag_values=values,
  )
  command_line.define_data_flag(values, "Data set")
  foreign_flags.define(values)
  command_line.run(perceive, values, __doc__)


if __name__ == "__main__":
  main()
