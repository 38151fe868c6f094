"""Preparing and checking data sets, for `bin/prepare_data.py`."""

import dataclasses
import json
import os
import pathlib

from disentangle_tf import output_files
from disentangle_tf.data.files.cached_images import CACHE_NAME, TFDS, CachedImages
from disentangle_tf.data.files.downloading import check_file, download, unpack_cars
from disentangle_tf.data.files.official_files import data_folder, files_of
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.known_sets import KNOWN_SETS, find_known_set
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.factor_table import FactorTable
from disentangle_tf.data.sets.manipulated import Manipulated
from disentangle_tf.data.sets.painted_dsprites import ScreamDSprites, painting_file
from disentangle_tf.data.sets.wrappers import UniformNoise
from disentangle_tf.errors import UserError

_RECORD = "sha256.json"
_OWN = {  # sets that the user makes
  FactorTable: "an npz file",
  Manipulated: "a folder",
  UniformNoise: "a set",
}


@dataclasses.dataclass(frozen=True)
class SetState:
  """Whether a set can be used.

  Attributes:
    name: name of the set.
    state: "ready", "not prepared" or "your own".
    size: size of its files on this disk, or of the download.
    place: where its files are, or will be.
  """

  name: str
  state: str
  size: str
  place: str


def set_states() -> list[SetState]:
  """Return a `SetState` for every known set."""
  return [_state(name, known.data_class) for name, known in KNOWN_SETS.items()]


def prepare(
  name: str, *, source: str | os.PathLike | None = None
) -> GroundTruthData | None:
  """Make the cache of a set.

  Args:
    name: name of the set.
    source: folder of official files, "tfds", or None to download them.

  Returns:
    The `GroundTruthData`; None if it is rendered and needs no preparation.
  """
  known = find_known_set(name)
  if not issubclass(known.data_class, CachedImages):
    _make(name)  # raises if it lacks anything else
    return None
  hashes = {}
  if (set_folder(name) / CACHE_NAME).exists() or not files_of(name):
    data = known.make()
  elif source == TFDS:
    data = known.make(source=source)
  else:
    folder, hashes = _download(name) if source is None else _take(name, source)
    data = known.make(source=_unpacked(name, folder))
  _record(name, hashes)
  return data


def check(name: str) -> tuple[GroundTruthData, dict[str, str]]:
  """Check the hashes, the number of images and the grid of a set.

  Args:
    name: name of the set.

  Returns:
    (the `GroundTruthData`, {file: sha256} of its files).
  """
  data = _make(name)
  if not isinstance(data, CachedImages):
    return data, {}
  folder = set_folder(name)
  seen = {**_hashes(name, folder), CACHE_NAME: _hash_of_cache(folder)}
  _record(name, seen)
  return data, seen


def set_folder(name: str) -> pathlib.Path:
  """Return the folder of the files of a set."""
  return data_folder() / name


def _make(name: str) -> GroundTruthData:
  known = find_known_set(name)
  if known.data_class in _OWN:
    raise UserError(
      f"{name} is {_OWN[known.data_class]} of your own, which needs no preparation: "
      f"gin/data/{name}.gin says how to choose it"
    )
  return known.make()


def _state(name: str, data_class: type[GroundTruthData]) -> SetState:
  if issubclass(data_class, CachedImages):
    return _state_of_cache(name)
  if data_class is ScreamDSprites:
    return _state_of_painting(name)
  if data_class in _OWN:
    return SetState(
      name, "your own", "", f"{_OWN[data_class]}, see gin/data/{name}.gin"
    )
  return SetState(name, "ready", "0 MB", "rendered, needs no file")


def _state_of_cache(name: str) -> SetState:
  folder = set_folder(name)
  if (folder / CACHE_NAME).exists():
    return SetState(name, "ready", _size_on_disk(folder), str(folder))
  return SetState(name, "not prepared", _size_of_download(name), str(folder))


def _state_of_painting(name: str) -> SetState:
  file = painting_file()
  if file.is_file():
    return SetState(name, "ready", _readable(file.stat().st_size), str(file))
  return SetState(name, "not prepared", "an image to add", str(file))


def _download(name: str) -> tuple[pathlib.Path, dict[str, str]]:
  """Download the missing official files: (folder, hashes)."""
  folder = set_folder(name)
  missing = [
    file
    for file in files_of(name)
    if not (file.unpacked and (folder / file.unpacked).exists())
  ]
  return folder, {file.name: download(file, folder) for file in missing}


def _take(name: str, source: str | os.PathLike) -> tuple[pathlib.Path, dict[str, str]]:
  """Use official files that the user fetched: (folder, hashes)."""
  folder = pathlib.Path(source).expanduser()
  if not folder.is_dir():
    raise UserError(f"source {folder} is no folder: name the one with the files")
  return folder, _hashes(name, folder)


def _unpacked(name: str, folder: pathlib.Path) -> pathlib.Path:
  """Return the folder to read from; unpack the archive of Cars3D if necessary."""
  (archive, *_) = files_of(name)
  unpacked = archive.unpacked
  if name != Cars3D.name or unpacked is None or (folder / unpacked).exists():
    return folder
  if not (folder / archive.name).exists():
    return folder
  target = set_folder(name) / unpacked
  if not target.exists():
    unpack_cars(folder / archive.name, target)
  return target.parent


def _hashes(name: str, folder: pathlib.Path) -> dict[str, str]:
  """Hash the official files in `folder` and check them: {file: sha256}."""
  paths = {file: folder / file.name for file in files_of(name)}
  found = [(file, path) for file, path in paths.items() if path.exists()]
  return {file.name: check_file(file, path) for file, path in found}


def _hash_of_cache(folder: pathlib.Path) -> str:
  return output_files.sha256_file(folder / CACHE_NAME)


def _record(name: str, seen: dict[str, str]) -> None:
  """Add hashes to the set's record; a hash that differs from it is an error."""
  path = set_folder(name) / _RECORD
  known = json.loads(path.read_text()) if path.exists() else {}
  for file, sha256 in seen.items():
    if known.get(file, sha256) != sha256:
      raise UserError(
        f"{set_folder(name) / file} has changed: its sha256 is {sha256}, and {path} "
        f"says {known[file]}; move both away and run python bin/prepare_data.py "
        f"prepare {name}"
      )
  output_files.write_json(path, {**known, **seen})


def _size_on_disk(folder: pathlib.Path) -> str:
  files = [path for path in folder.rglob("*") if path.is_file()]
  return _readable(sum(path.stat().st_size for path in files))


def _size_of_download(name: str) -> str:
  files = files_of(name)
  sizes = [file.size for file in files if file.size is not None]
  if not files:
    return "through TFDS"
  if len(sizes) < len(files):
    return "unknown"
  return f"{_readable(sum(sizes))} to fetch"


def _readable(size: int) -> str:
  return f"{size / 1e6:,.0f} MB"
