"""The one way to open a foreign file: a plain one, without waiting, without links."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import stat
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Iterator
  from typing import BinaryIO

_ENDS = 2**20  # bytes of each end that a `Glance` holds


@contextlib.contextmanager
def open_plain(path: str | os.PathLike) -> Iterator[BinaryIO]:
  """Open a plain file for reading; nothing else is opened, or waited for.

  Args:
    path: not a symbolic link; resolve a path that the user named.

  Raises:
    ModelError: it is a link, a pipe, a device or a folder, or cannot be read.
  """
  try:
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
  except (OSError, ValueError) as error:  # ValueError: the name has a zero byte
    reason = getattr(error, "strerror", None) or error
    raise ModelError(f"{printable(path)} cannot be read ({reason})") from error
  if not stat.S_ISREG(os.fstat(opened).st_mode):
    os.close(opened)
    raise ModelError(f"refused: {printable(path)} is not a plain file")
  with open(opened, "rb") as file:
    yield file


@dataclasses.dataclass(frozen=True)
class Glance:
  """Both ends of a file, to recognise its format without parsing it.

  Attributes:
    head: its first bytes, at most 1 MiB.
    tail: its last bytes, at most 1 MiB; they may overlap the head.
  """

  head: bytes
  tail: bytes

  @classmethod
  def at(cls, path: str | os.PathLike) -> Glance:
    """Read both ends of a plain file; a path that the user named may be a link.

    Raises:
      ModelError: it cannot be read.
    """
    with open_plain(os.path.realpath(path)) as file:
      head = file.read(_ENDS)
      file.seek(max(0, os.fstat(file.fileno()).st_size - _ENDS))
      return cls(head, file.read(_ENDS))

  def __contains__(self, word: bytes) -> bool:
    return word in self.head or word in self.tail
