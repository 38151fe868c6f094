"""A private copy of a foreign model, and its hash."""

from __future__ import annotations

import hashlib
import mmap
import os
import pathlib
import re
import stat
import tempfile
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.model_files import find_kind, holds_arrays
from disentangle_tf.foreign.open_file import open_plain
from disentangle_tf.output_files import sha256_file, sha256_listing
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Iterator


MOST_BYTES = 4 * 2**30
MOST_GRAPH_BYTES = 64 * 2**20  # parsing may take 50 times as much memory
MOST_FILES = 10_000
ONNX_FILE = "model.onnx"  # in the copy, which is a folder

# The files that a SavedModel is read from; others are not copied.
_SAVED_MODEL = re.compile(
  r"saved_model\.pb|manifest\.json|fingerprint\.pb|tfhub_module\.pb"
  r"|variables/variables\.(index|data-\d{5}-of-\d{5})|assets/.*",
  re.S,
)
_OTHER_FORMS = re.compile(r"saved_model\.(?!pb$).*|.*\.cpb")
_NOT_PARSED = ("variables/", "assets/")
# How an ONNX file names a file with data of a tensor: "location", and the name after
# its length. Found as bytes, so that nothing is parsed here.
_LOCATION = re.compile(rb"\n\x08location\x12([\x80-\xff][\x01-\x7f]|[\x01-\x7f])", re.S)


def copy_model(
  path: str | os.PathLike, target: str | os.PathLike
) -> tuple[dict[str, str], list[str]]:
  """Copy a model's files to the empty folder `target`.

  Symbolic links, pipes, devices, other forms of SavedModels than saved_model.pb, and
  too many bytes are refused. A file keeps its name; an ONNX file becomes a folder of
  its name, with `ONNX_FILE` and the files of data that it names.

  Returns:
    ({relative name of a copied file: its sha256}, names of files that were left out).
  """
  path, target = pathlib.Path(path), pathlib.Path(target)
  if find_kind(path) == "onnx":
    return _copy_onnx(path, target / path.name), []
  if path.is_file():
    return {path.name: _copy(path.resolve(), target / path.name, MOST_BYTES)}, []
  hashes, left_out, room = {}, [], MOST_BYTES
  for name, kind in _walk(path):
    shown = printable(name)
    if stat.S_ISLNK(kind):
      raise ModelError(f"refused: {path} holds a symbolic link, {shown}")
    if not stat.S_ISREG(kind):
      raise ModelError(f"refused: {path} holds {shown}, which is not a plain file")
    if _OTHER_FORMS.fullmatch(name):
      raise ModelError(
        f"refused: {path} holds {shown}, which TensorFlow may load instead of "
        "saved_model.pb"
      )
    if not _SAVED_MODEL.fullmatch(name):
      left_out.append(shown)
      continue
    most = room if name.startswith(_NOT_PARSED) else min(room, MOST_GRAPH_BYTES)
    hashes[name] = _copy(path / name, target / name, most)
    room -= (target / name).stat().st_size
  if "saved_model.pb" not in hashes:
    raise ModelError(f"{path} has no saved_model.pb")
  return hashes, left_out


def _copy_onnx(path: pathlib.Path, target: pathlib.Path) -> dict[str, str]:
  """Copy an ONNX file, and the files of data beside it that it names."""
  hashes = {path.name: _copy(path.resolve(), target / ONNX_FILE, MOST_BYTES)}
  room = MOST_BYTES - (target / ONNX_FILE).stat().st_size
  for name in _data_names(target / ONNX_FILE):
    data = path.parent / name
    if data.is_symlink():
      raise ModelError(f"refused: {printable(data)} is a symbolic link")
    if name == path.name or data.is_dir() or not data.exists():
      continue  # the scan reports it
    hashes[name] = _copy(data, target / name, room)
    room -= (target / name).stat().st_size
  return hashes


def _data_names(path: pathlib.Path) -> list[str]:
  """Sorted plain names of files that an ONNX file names; some may be misread bytes."""
  if not path.stat().st_size:
    return []
  names = set()
  with (
    path.open("rb") as file,
    mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
  ):
    for match in _LOCATION.finditer(content):
      size = (
        match[1][0] if len(match[1]) == 1 else match[1][0] % 128 + match[1][1] * 128
      )
      names.add(content[match.end() : match.end() + size])
      if len(names) > MOST_FILES:
        raise ModelError(f"refused: {path.parent.name} names too many files with data")
  plain = (name.decode(errors="replace") for name in names)
  return sorted(name for name in plain if is_plain(name) and name != ONNX_FILE)


def is_plain(name: str) -> bool:
  """Whether a name is that of an ordinary file in a folder, not a path."""
  return re.fullmatch(r"[^./\\\0\ufffd][^/\\\0\ufffd]{0,254}", name) is not None


def _walk(root: pathlib.Path) -> Iterator[tuple[str, int]]:
  """(relative name, mode) of everything but folders; no link is followed."""
  pending, seen = [""], 0
  while pending:
    folder = pending.pop()
    try:
      entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except OSError as error:
      raise ModelError(f"{root} cannot be read ({error.strerror})") from error
    for entry in entries:
      seen += 1
      if seen > MOST_FILES:
        raise ModelError(f"refused: {root} holds more than {MOST_FILES} files")
      name = f"{folder}{entry.name}"
      if entry.is_dir(follow_symlinks=False):
        pending.append(f"{name}/")
      else:
        yield name, entry.stat(follow_symlinks=False).st_mode


def _copy(source: pathlib.Path, target: pathlib.Path, most: int) -> str:
  """Copy at most `most` bytes of a plain file, and return its sha256."""
  target.parent.mkdir(parents=True, exist_ok=True)
  digest, copied = hashlib.sha256(), 0
  with open_plain(source) as file, open(target, "xb") as copy:
    while block := file.read(2**20):
      copied += len(block)
      if copied > most:
        raise ModelError(f"refused: {source.name} is larger than {most:,} bytes")
      digest.update(block)
      copy.write(block)
  return digest.hexdigest()


def hash_model(path: str | os.PathLike) -> str:
  """Hash a model, or a file of arrays, without opening it.

  Args:
    path: folder or file of a model, or an .npz or .npy file.

  Returns:
    The sha256 that scores.json records: of arrays that of the file, of a model one for
    the names and hashes of all its files (`ForeignModel.sha256_of_all`).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf.foreign.copy_model import hash_model
    >>> np.save("codes.npy", np.zeros((2, 3), np.float32))
    >>> len(hash_model("codes.npy"))
    64
  """
  if holds_arrays(path):
    return sha256_file(path)
  with tempfile.TemporaryDirectory() as folder:
    hashes, _ = copy_model(path, pathlib.Path(folder) / "model")
  return sha256_listing(hashes)
