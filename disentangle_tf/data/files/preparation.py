"""Preparing the official files of data sets, and checking them."""

import functools
import json
import pathlib

from disentangle_tf import output_files
from disentangle_tf.data.files.cached_images import CACHE_NAME, TFDS
from disentangle_tf.data.files.data_folder import data_folder
from disentangle_tf.data.files.downloading import check_file, download
from disentangle_tf.data.files.official_files import files_of
from disentangle_tf.data.files.unpacking import unpack_cars
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.celeb_a import CelebA
from disentangle_tf.data.sets.dsprites import DSprites
from disentangle_tf.data.sets.fashion_mnist import FashionMNIST
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.data.sets.xy_squares import XYSquares
from disentangle_tf.errors import UserError, suggest

_RECORD = "sha256.json"
_MAKERS = {
  "dsprites": DSprites,
  "xysquares": XYSquares,
  "shapes3d": Shapes3D,
  "cars3d": Cars3D,
  "smallnorb": SmallNORB,
  "mpi3d_toy": functools.partial(MPI3D, version="toy"),
  "mpi3d_realistic": functools.partial(MPI3D, version="realistic"),
  "mpi3d_real": functools.partial(MPI3D, version="real"),
  "celeb_a": CelebA,
  "fashion_mnist": FashionMNIST,
}
_RENDERED = ("dsprites", "xysquares")


def list_sets():
  """Prints of every set whether it is ready, how large it is, and where."""
  print(f"{'data set':16} {'state':13} {'size':>18}  where")
  for name in _MAKERS:
    if name in _RENDERED:
      print(f"{name:16} {'ready':13} {'0 MB':>18}  rendered, needs no file")
      continue
    ready = (_folder(name) / CACHE_NAME).exists()
    state = "ready" if ready else "not prepared"
    size = _size_on_disk(name) if ready else _size_of_download(name)
    print(f"{name:16} {state:13} {size:>18}  {_folder(name)}")


def prepare(name, *, source=None):
  """Makes the cache of a set.

  Args:
    name: the set.
    source: folder of official files, "tfds", or None to download them.
  """
  maker = _find_maker(name)
  if name in _RENDERED:
    print(f"{name} is rendered: there is nothing to prepare")
    return
  hashes = {}
  if (_folder(name) / CACHE_NAME).exists() or not files_of(name):
    data = maker()
  elif source == TFDS:
    data = maker(source=source)
  else:
    folder, hashes = _download(name) if source is None else _take(name, source)
    data = maker(source=_unpacked(name, folder))
  _record(name, hashes)
  print(f"{name} is ready: {len(data):,} images in {_folder(name)}")


def check(name):
  """Checks hashes, the number of images and the grid.

  Args:
    name: the set.

  Returns:
    The `GroundTruthData`, and the folder of its files.
  """
  data = _find_maker(name)()
  folder = _folder(name)
  if name not in _RENDERED:
    seen = {**_hashes(name, folder), CACHE_NAME: _hash_of_cache(folder)}
    _record(name, seen)
    for file, sha256 in seen.items():
      print(f"{sha256}  {file}")
  sizes = zip(data.factors.names, data.factors.sizes, strict=True)
  print(f"{len(data):,} images of {' x '.join(map(str, data.observation_shape))}")
  print(f"factors: {', '.join(f'{factor} {size}' for factor, size in sizes)}")
  return data, folder


def _find_maker(name):
  if name not in _MAKERS:
    raise UserError(
      f"there is no data set {name!r}{suggest(name, _MAKERS)} (there are "
      f"{', '.join(_MAKERS)})"
    )
  return _MAKERS[name]


def _folder(name):
  return data_folder() / name


def _download(name):
  """(folder, hashes) of official files; what is there, packed or not, is kept."""
  folder = _folder(name)
  lacking = [
    file
    for file in files_of(name)
    if not (file.unpacked and (folder / file.unpacked).exists())
  ]
  return folder, {file.name: download(file, folder) for file in lacking}


def _take(name, source):
  """(folder, hashes) of official files that the user fetched."""
  folder = pathlib.Path(source).expanduser()
  if not folder.is_dir():
    raise UserError(f"--from {folder} is no folder: name the one with the files")
  return folder, _hashes(name, folder)


def _unpacked(name, folder):
  """The folder to read from: of Cars3D the set's own, unless there is nothing to do."""
  (archive, *_) = files_of(name)
  if name != Cars3D.name or (folder / archive.unpacked).exists():
    return folder
  if not (folder / archive.name).exists():
    return folder
  target = _folder(name) / archive.unpacked
  if not target.exists():
    unpack_cars(folder / archive.name, target)
  return target.parent


def _hashes(name, folder):
  """{file: sha256} of the official files in `folder`, checked against the table."""
  paths = {file: folder / file.name for file in files_of(name)}
  found = [(file, path) for file, path in paths.items() if path.exists()]
  return {file.name: check_file(file, path) for file, path in found}


def _hash_of_cache(folder):
  return output_files.sha256_file(folder / CACHE_NAME)


def _record(name, seen):
  """Adds hashes to the set's record; one that differs from it is an error."""
  path = _folder(name) / _RECORD
  known = json.loads(path.read_text()) if path.exists() else {}
  for file, sha256 in seen.items():
    if known.get(file, sha256) != sha256:
      raise UserError(
        f"{_folder(name) / file} has changed: its sha256 is {sha256}, and {path} says "
        f"{known[file]}; move both away and run python bin/prepare_data.py prepare "
        f"{name}"
      )
  output_files.write_json(path, {**known, **seen})


def _size_on_disk(name):
  files = [path for path in _folder(name).rglob("*") if path.is_file()]
  return _readable(sum(path.stat().st_size for path in files))


def _size_of_download(name):
  sizes = [file.size for file in files_of(name)]
  if not sizes:
    return "through TFDS"
  return "unknown" if None in sizes else f"{_readable(sum(sizes))} to fetch"


def _readable(size):
  return f"{size / 1e6:,.0f} MB"
