"""Hashes by which files that decide a result are known again."""

import functools
import hashlib
import os

from disentangle_tf.output_files import sha256_file

_WHOLE = 2**28  # bytes: up to this size all of a file is hashed
_SAMPLES, _SAMPLE = 256, 2**16  # parts of a larger one, and the bytes of each
_LISTINGS = ("manifest.json", "images.npy")  # what tells a folder's content


def content_of(path: str | os.PathLike) -> str | None:
  """A hash of what lies at `path`; None if it is neither a file nor a known folder.

  Of a folder that is a manipulated set or an export that of its manifest, which holds
  the hashes of all other files; of the folder of an official set that of its images. Of
  files above 256 MiB the size and 256 evenly spaced parts are hashed.

  Args:
    path: of a file or a folder.
  """
  path = os.fspath(path)
  if os.path.isdir(path):
    listings = (os.path.join(path, name) for name in _LISTINGS)
    path = next(filter(os.path.isfile, listings), "")
  if not os.path.isfile(path):
    return None
  status = os.stat(path)
  stamp = status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
  return _hash(os.path.abspath(path), *stamp)


@functools.lru_cache(maxsize=1024)
def _hash(path: str, size: int, *stamp: int) -> str:
  """Computed once for a file that no one has touched."""
  del stamp
  if size <= _WHOLE:
    return sha256_file(path)
  found = hashlib.sha256(str(size).encode())
  with open(path, "rb") as file:
    for number in range(_SAMPLES):
      file.seek(number * (size - _SAMPLE) // (_SAMPLES - 1))
      found.update(file.read(_SAMPLE))
  return found.hexdigest()
