"""The gin files of this package: where they are, what they set, their text."""

import pathlib
import re

import disentangle_tf
from disentangle_tf.errors import UserError, suggest

# What the demo is made of: small, and needs no files.
_BEST_EXAMPLES = (
  "gin/data/xysquares_small.gin",
  "gin/losses/mse.gin",
  "gin/networks/mlp.gin",
  "gin/models/beta_vae.gin",
  "gin/runs/demo_mse.gin",
)


def gin_home():
  """The folder that holds the shipped gin/: the checkout, or the installed package."""
  package = pathlib.Path(disentangle_tf.__file__).parent
  return package if (package / "gin").is_dir() else package.parent


def shipped(folder):
  """Names of the shipped files gin/`folder`/*.gin, without their ending."""
  return sorted(path.stem for path in (gin_home() / "gin" / folder).glob("*.gin"))


def all_shipped():
  """Paths of all shipped files, as users name them: gin/..."""
  found = (gin_home() / "gin").rglob("*.gin")
  return sorted(path.relative_to(gin_home()).as_posix() for path in found)


def find_gin_file(file):
  """The path of a gin file: the user's, or a shipped one that is named gin/..."""
  for candidate in (pathlib.Path(file), gin_home() / file):
    if candidate.is_file():
      return str(candidate)
  if pathlib.Path(file).is_dir():
    raise UserError(f"{file} is a folder: name a gin file")
  raise UserError(f"there is no gin file {file}{suggest(str(file), all_shipped())}")


def files_that_set(name, value=None):
  """Shipped files with a line `name` = ..., the best examples first.

  Args:
    name: a macro, or a setting.
    value: the text it is set to; by default anything but %gin.REQUIRED, which asks
      others to set it.
  """
  wanted = r"(?!%gin\.REQUIRED)" if value is None else re.escape(value)
  line = re.compile(rf"^{re.escape(name)} = {wanted}", re.MULTILINE)
  ordered = dict.fromkeys((*_BEST_EXAMPLES, *all_shipped()))
  return [file for file in ordered if line.search((gin_home() / file).read_text())]


def gin_text(files):
  """All lines of gin files, in the order in which gin would read them."""
  return "\n".join(line for file in files for line in _lines(str(file), ()))


def _lines(file, around):
  if file in around:
    raise UserError(f"{file} includes itself")
  path = pathlib.Path(find_gin_file(file))
  for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
    included = re.match(r"""\s*include\s+["'](.+?)["']""", line)
    if included:
      yield from _lines(included.group(1), (*around, file))
    elif line.strip() and not line.lstrip().startswith("#"):
      yield line.rstrip()
