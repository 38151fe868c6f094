"""Lists, prepares and checks the data sets.

  python bin/prepare_data.py list
  python bin/prepare_data.py prepare shapes3d
  python bin/prepare_data.py prepare cars3d --from ~/Downloads
  python bin/prepare_data.py check shapes3d --output shapes3d.png

`prepare` downloads the official files, or takes those you fetched by hand, and makes
the cache that training reads. `check` compares hashes, counts images, and draws every
factor's traversal. All is kept in DISENTANGLE_TF_DATA, or else ~/.cache/disentangle_tf.
"""

import pathlib

from absl import flags

from disentangle_tf import output_files
from disentangle_tf.commands import command_line
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.errors import UserError, suggest

_ACTIONS = ("list", "prepare", "check")


def prepare_data(values, words):
  """Does what the words say."""
  action, names = _understand(words)
  start_tensorflow()
  from disentangle_tf.data.files import preparation

  if action == "list":
    preparation.list_sets()
  elif action == "prepare":
    preparation.prepare(*names, source=values["from"].value)
  else:
    _check(*names, output=values.output)


def _check(name, *, output):
  """Checks a set, and draws its traversals to `output` or into its folder."""
  from disentangle_tf.data.files import preparation
  from disentangle_tf.pictures import factor_traversals
  from disentangle_tf.plots import image_grid, picture_to_png

  if output and pathlib.Path(output).exists():
    raise UserError(f"--output {output} exists: name another file")
  data, folder = preparation.check(name)
  path = pathlib.Path(output) if output else folder / "traversals.png"
  _write(path, picture_to_png(image_grid(factor_traversals(data))))
  print(f"{name} is as it should be; its traversals are drawn in {path}")


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
