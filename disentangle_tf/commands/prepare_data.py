"""Lists, prepares and checks the data sets.

  python bin/prepare_data.py list
  python bin/prepare_data.py prepare shapes3d
  python bin/prepare_data.py prepare cars3d --from ~/Downloads
  python bin/prepare_data.py check shapes3d --output shapes3d.png

`prepare` downloads the official files, or takes those that you downloaded yourself, and
writes the cache that training reads. `check` compares hashes, counts images, and draws
the traversal of every factor. Data is stored in DISENTANGLE_TF_DATA, by default
~/.cache/disentangle_tf.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from absl import flags

from disentangle_tf import output_files
from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import start_tensorflow
from disentangle_tf.errors import UserError, suggest

if TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData

_ACTIONS = ("list", "prepare", "check")
_USAGE = "use list, prepare NAME or check NAME"


def prepare_data(values: flags.FlagValues, words: Sequence[str]) -> None:
  """List the data sets, or prepare or check one of them."""
  action, names = _parsed(words)
  start_tensorflow()
  if action == "list":
    _list()
  elif action == "prepare":
    _prepare(*names, source=values["from"].value)
  else:
    _check(*names, output=values.output)


def _list() -> None:
  """Print the state, size and place of every data set."""
  from disentangle_tf.data.files.preparation import set_states

  print(f"{'data set':16} {'state':13} {'size':>18}  where")
  for known in set_states():
    print(f"{known.name:16} {known.state:13} {known.size:>18}  {known.place}")


def _prepare(name: str, *, source: str | None) -> None:
  """Prepare a data set, and print its number of images."""
  from disentangle_tf.data.files.preparation import prepare, set_folder

  data = prepare(name, source=source)
  if data is None:
    print(f"{name} is rendered: there is nothing to prepare")
  else:
    print(f"{name} is ready: {len(data):,} images in {set_folder(name)}")


def _check(name: str, *, output: str | None) -> None:
  """Check a data set, and draw its traversals to `output` or to its folder."""
  from disentangle_tf.data.files.preparation import check, set_folder

  if output and pathlib.Path(output).exists():
    raise UserError(f"--output {output} exists: name another file")
  data, hashes = check(name)
  _print_contents(data, hashes)
  if len(data.observation_shape) != 3:
    if output:
      raise UserError(f"{name} has no images to draw: leave --output out")
    print(f"{name} is complete; it has no images to draw")
    return
  path = pathlib.Path(output) if output else set_folder(name) / "traversals.png"
  _write_traversals(data, path)
  print(f"{name} is complete; its traversals are drawn in {path}")


def _print_contents(data: GroundTruthData, hashes: Mapping[str, str]) -> None:
  """Print the hashes of a data set's files, its number of images and its factors."""
  for file, sha256 in hashes.items():
    print(f"{sha256}  {file}")
  kind = "images" if len(data.observation_shape) == 3 else "points"
  print(f"{len(data):,} {kind} of {' x '.join(map(str, data.observation_shape))}")
  sizes = zip(data.factors.names, data.factors.sizes, strict=True)
  print(f"factors: {', '.join(f'{factor} {size}' for factor, size in sizes)}")


def _write_traversals(data: GroundTruthData, path: pathlib.Path) -> None:
  from disentangle_tf.pictures.perceived_distances import factor_traversals
  from disentangle_tf.plots import image_grid, picture_to_png

  _write(path, picture_to_png(image_grid(factor_traversals(data))))


def _write(path: pathlib.Path, content: bytes) -> None:
  try:
    path.parent.mkdir(parents=True, exist_ok=True)
    with output_files.whole_file(path) as temporary:
      temporary.write_bytes(content)
  except OSError as error:
    raise UserError(f"cannot write {path}: {error.strerror}") from error


def _parsed(words: Sequence[str]) -> tuple[str, list[str]]:
  """(action, names of data sets): no name for `list`, one for the other actions."""
  if not words:
    raise UserError(f"the action is missing: {_USAGE}")
  action, *names = words
  if action not in _ACTIONS:
    hint = suggest(action, _ACTIONS)
    raise UserError(f"unknown action {action!r}{hint or f': {_USAGE}'}")
  wanted = 0 if action == "list" else 1
  if len(names) != wanted:
    count = "one name" if wanted else "no name"
    raise UserError(f"{action} takes {count}, got {len(names)}: {_USAGE}")
  return action, names


def main() -> None:
  """Entry point of bin/prepare_data.py and dtf_prepare_data."""
  values = command_line.basic_flags()
  values.set_gnu_getopt()  # flags may follow the words
  flags.DEFINE_string(
    "from",
    None,
    "prepare: folder of official files that you downloaded yourself, or tfds to read "
    "the set through TensorFlow Datasets.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "output", None, "check: PNG file for the traversals.", flag_values=values
  )
  command_line.run(prepare_data, values, __doc__, takes_words=True)


if __name__ == "__main__":
  main()
