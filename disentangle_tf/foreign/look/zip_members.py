"""Checks a foreign zip archive for bombs before anything in it is unpacked."""

import zipfile

from disentangle_tf.errors import ModelError

_MOST_MEMBERS = 10_000
# Other methods unpack a whole member before they can be stopped.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def zip_members(archive: zipfile.ZipFile, *, most_bytes: int) -> list[zipfile.ZipInfo]:
  """The members of an open archive, if it is not a bomb.

  Args:
    archive: a `zipfile.ZipFile`.
    most_bytes: the most bytes that all members together may unpack to.
  """
  members = archive.infolist()
  if len(members) > _MOST_MEMBERS:
    raise ModelError(f"refused: it holds more than {_MOST_MEMBERS:,} files")
  if any(member.compress_type not in _METHODS for member in members):
    raise ModelError(
      "refused: it is packed with another method than deflate; pack it again"
    )
  if sum(member.file_size for member in members) > most_bytes:
    raise ModelError(f"refused: it unpacks to more than {most_bytes:,} bytes")
  return members
