"""What gin files say, as text: includes in their place, without comments.

No module is imported for it, so it is quick; two texts are the same if the files are.
"""

import pathlib
import re

from disentangle_tf.commands.shipped_files import find_gin_file
from disentangle_tf.errors import UserError


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
