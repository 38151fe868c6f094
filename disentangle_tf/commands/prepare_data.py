"""Lists, prepares and checks the data sets.

  python bin/prepare_data.py list
  python bin/prepare_data.py prepare shapes3d
  python bin/prepare_data.py prepare cars3d --from ~/Downloads
  python bin/prepare_data.py check shapes3d --output shapes3d.png

`prepare` downloads the official files, or takes those you fetched by hand, and makes
the cache that training reads. `check` compares hashes, counts images, and shows every
factor's traversal. All is kept in DISENTANGLE_TF_DATA, or else ~/.cache/disentangle_tf.
"""

import pathlib

from absl import flags

from disentangle_tf import output_files
from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import start_tensorflow
from disentangle_tf.errors import UserError, suggest

_ACTIONS = ("list", "prepare", "check")


def prepare_data(values, words):
  """Does what the words say."""
  action, names = _understand(words)
  start_tensorflow()
  if action == "list":
    _list()
  elif action == "prepare":
    _prepare(*names, source=values["from"].value)
  else:
    _check(*names, output=values.output)


def _list():
  """Prints of every set whether it is ready, how large it is, and where."""
  from disentangle_tf.data.files.preparation import set_states

  print(f"{'data set':16} {'state':13} {'size':>18}  where")
  for known in set_states():
    print(f"{known.name:16} {known.state:13} {known.size:>18}  {known.place}")


def _prepare(name, *, source):
  """Prepares a set, and prints how many images it has."""
  from disentangle_tf.data.files.preparation import prepare, set_folder

  data = prepare(name, source=source)
  if data is None:
    print(f"{name} is rendered: there is nothing to prepare")
  else:
    print(f"{name} is ready: {len(data):,} images in {set_folder(name)}")


def _check(name, *, output):
  """Checks a set, and shows its traversals in `output` or in its folder."""
  from disentangle_tf.data.files.preparation import check, set_folder

  if output and pathlib.Path(output).exists():
    raise UserError(f"--output {output} exists: name another file")
  data, hashes = check(name)
  _print_contents(data, hashes)
  if len(data.observation_shape) != 3:
    if output:
      raise UserError(f"--output: {name} has no images to show, leave it out")
    print(f"{name} is as it should be; it has no images to show")
    return
  path = pathlib.Path(output) if output else set_folder(name) / "traversals.png"
  _write_traversals(data, path)
  print(f"{name} is as it should be; its traversals are shown in {path}")


def _print_contents(data, hashes):
  """Prints the hashes of a set's files, its number of images, and its factors."""
  for file, sha256 in hashes.items():
    print(f"{sha256}  {file}")
  kind = "images" if len(data.observation_shape) == 3 else "points"
  print(f"{len(data):,} {kind} of {' x '.join(map(str, data.observation_shape))}")
  sizes = zip(data.factors.names, data.factors.sizes, strict=True)
  print(f"factors: {', '.join(f'{factor} {size}' for factor, size in sizes)}")


def _write_traversals(data, path):
  from disentangle_tf.pictures.perceived_distances import factor_traversals
  from disentangle_tf.plots import image_grid, picture_to_png

  _write(path, picture_to_png(image_grid(factor_traversals(data))))


def _write(path, content):
  try:
    path.parent.mkdir(parents=True, exist_ok=True)
    with output_files.whole_file(path) as temporary:
      temporary.write_bytes(content)
  except OSError as error:
    raise UserError(f"cannot write {path}: {error.strerror}") from error


def _understand(words):
  """(action, names of data sets): none to list, one for all else."""
  if not words:
    raise UserError("say what to do: list, prepare NAME or check NAME")
  action, *names = words
  if action not in _ACTIONS:
    raise UserError(
      f"what does {action!r} mean{suggest(action, _ACTIONS) or '?'} say list, prepare "
      "NAME or check NAME"
    )
  wanted = 0 if action == "list" else 1
  if len(names) != wanted:
    raise UserError(f"{action} takes {wanted or 'no'} name, got {len(names)}")
  return action, names


def main():
  """Entry point of bin/prepare_data.py and dtf_prepare_data."""
  values = command_line.basic_flags()
  values.set_gnu_getopt()  # flags may follow the words
  flags.DEFINE_string(
    "from",
    None,
    "prepare: folder of official files that were fetched by hand, or tfds to read the "
    "set through TensorFlow Datasets.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "output", None, "check: PNG file for the traversals.", flag_values=values
  )
  command_line.run(prepare_data, values, __doc__, takes_words=True)


if __name__ == "__main__":
  main()
