"""The table of known sets makes the same sets as the files in `gin/data`."""

import gin
import numpy as np
import official_formats
import pytest
from manipulated_sets import write_manipulated
from PIL import Image

from disentangle_tf.commands.gin_configuration import (
  find_data,
  read_configuration,
  shipped,
)
from disentangle_tf.data import (
  KNOWN_SETS,
  MPI3D,
  FactorTable,
  GroundTruthData,
  KnownSet,
  XYSquares,
  data_to_config,
  find_known_set,
)
from disentangle_tf.data.files.cached_images import CachedImages
from disentangle_tf.data.files.official_files import OFFICIAL_FILES
from disentangle_tf.errors import UserError


@pytest.fixture
def home(tmp_path, monkeypatch):
  """Make a data folder with the smallest files that the sets accept."""
  official_formats.use_empty_home(tmp_path, monkeypatch)
  official_formats.use_tiny_tfds(monkeypatch)
  for name, known in KNOWN_SETS.items():
    if known.data_class in official_formats.SIZES:
      official_formats.write(known.data_class, tmp_path / name, **known.arguments)
  Image.new("RGB", (90, 80)).save(tmp_path / "the_scream.jpg")
  np.savez(tmp_path / "mine.npz", images=np.zeros((2, 4, 4)), factors=[0, 1])
  write_manipulated(tmp_path / "hard")
  return tmp_path


def _made_by_gin(name, bindings):
  read_configuration(
    ["gin/metrics/default.gin", find_data(name)],
    ["evaluation.evaluate.data = %DATA", *bindings],
  )
  return gin.get_bindings("evaluation.evaluate")["data"]


def test_every_set_has_its_gin_file_and_every_file_its_set():
  assert sorted(KNOWN_SETS) == sorted(shipped("data"))


@pytest.mark.parametrize("name", KNOWN_SETS)
def test_the_gin_file_makes_what_the_list_says(name, home):
  own = {
    "table": ("PATH", {"path": str(home / "mine.npz")}),
    "manipulated": ("FOLDER", {"path": str(home / "hard")}),
    "uniform_noise": ("SET", {"name": "spot", "epsilon": 0.1}),
  }
  macro, more = own.get(name, ("", {}))
  listed = KNOWN_SETS[name].make(**more)
  bindings = [f"{macro} = {next(iter(more.values()))!r}"] if more else []
  configured = _made_by_gin(name, bindings)
  assert type(listed) is type(configured) is KNOWN_SETS[name].data_class
  assert data_to_config(listed) == data_to_config(configured)
  if isinstance(listed, CachedImages):
    assert listed.name == name  # the folder of its cache


def test_every_official_file_belongs_to_a_set():
  of_files = {
    name
    for name, known in KNOWN_SETS.items()
    if issubclass(known.data_class, CachedImages) and known.data_class.has_factors
  }
  assert {file.data_set for file in OFFICIAL_FILES} == of_files


def test_small_squares_are_small():
  assert KNOWN_SETS["xysquares_small"].make().observation_shape == (16, 16, 2)
  assert KNOWN_SETS["xysquares"].make().observation_shape == (64, 64, 3)
  assert KNOWN_SETS["xysquares_small"].make(grey=True).observation_shape == (16, 16, 1)


def test_a_set_may_have_a_maker_of_its_own():
  known = KnownSet(XYSquares, {"image_size": 8}, maker=dict)
  assert known.make(square_size=2) == {"image_size": 8, "square_size": 2}
  assert KNOWN_SETS["table"].data_class is FactorTable


def test_all_are_data_sets():
  assert all(
    issubclass(known.data_class, GroundTruthData) for known in KNOWN_SETS.values()
  )


def test_a_set_is_found_by_its_name():
  assert find_known_set("mpi3d_real") == KnownSet(MPI3D, {"version": "real"})
  with pytest.raises(UserError, match="'mpi3d_rael'; did you mean 'mpi3d_real'.*table"):
    find_known_set("mpi3d_rael")
