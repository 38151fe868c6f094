"""Safe unpacking of the archive of Cars3D."""

import pathlib
import shutil
import tarfile
from typing import IO, cast

from disentangle_tf import output_files
from disentangle_tf.data.files.official_reading import reading
from disentangle_tf.errors import UserError

_LARGEST = 1 << 31  # bytes; the file of a car has a few million


def unpack_cars(archive: pathlib.Path, folder: pathlib.Path) -> None:
  """Write the files cars/*.mat of a tar archive to the new `folder`.

  Only plain files are unpacked, without their folders, so nothing is written elsewhere.
  An archive with unsafe names is refused as a whole.
  """
  folder.parent.mkdir(parents=True, exist_ok=True)
  with (
    reading(archive),
    tarfile.open(archive, "r|gz") as members,
    output_files.whole_directory(folder) as temporary,
  ):
    for member in members:
      path = pathlib.PurePosixPath(member.name)
      if path.is_absolute() or ".." in path.parts or member.size > _LARGEST:
        raise UserError(
          f"{archive} is not the official file: its member {member.name!r} has an "
          "unsafe name or size"
        )
      if member.isfile() and path.suffix == ".mat" and path.parent.name == "cars":
        with open(temporary / path.name, "xb") as output:
          shutil.copyfileobj(cast("IO[bytes]", members.extractfile(member)), output)
    if not any(temporary.iterdir()):
      raise UserError(f"{archive} is not the official file: it has no cars/*.mat")
