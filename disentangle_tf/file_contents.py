"""Hashes that identify the files a result depends on."""

import functools
import hashlib
import os

from disentangle_tf.output_files import sha256_file

_WHOLE = 2**28  # bytes: a file up to this size is hashed as a whole
_SAMPLES, _SAMPLE = (
  256,
  2**16,
)  # number of parts of a larger file, and the bytes of each
_LISTINGS = (
  "manifest.json",
  "images.npy",
)  # the file that identifies a folder's content


def content_of(path: str | os.PathLike) -> str | None:
  """Hash the content of `path`; None if it is neither a file nor a known folder.

  For the folder of a manipulated set or an export, the hash of the manifest, which
  holds the hashes of all other files. For the folder of an official set, the hash of
  its images. For files above 256 MiB, a hash of the size and of 256 evenly spaced
  parts.

  Args:
    path: a file or a folder.
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
  """The `stamp` changes with the file, so an unchanged file is hashed only once."""
  del stamp
  if size <= _WHOLE:
    return sha256_file(path)
  found = hashlib.sha256(str(size).encode())
  with open(path, "rb") as file:
    for number in range(_SAMPLES):
      file.seek(number * (size - _SAMPLE) // (_SAMPLES - 1))
      found.update(file.read(_SAMPLE))
  return found.hexdigest()
