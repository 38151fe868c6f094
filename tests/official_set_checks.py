"""What every set that is read from official files promises."""

import shutil

import numpy as np
import official_formats
import pytest
from shared_checks import run_dataset_test

from disentangle_tf.errors import UserError


def run_official_set_test(cached, folder):
  """Every image is found by its factors, in a cache that is mapped and made once."""
  images = official_formats.write(cached, folder / "official")
  data = cached(folder=folder / "cache", source=folder / "official")
  assert data.factors.sizes == official_formats.SIZES[cached]
  points = data.factors.to_factors(np.arange(len(data)))
  np.testing.assert_allclose(data.observe(points), images / 255, atol=1e-6)
  assert isinstance(data.images, np.memmap) and data.images.mode == "r"
  assert [path.name for path in (folder / "cache").iterdir()] == ["images.npy"]
  shutil.rmtree(folder / "official")
  again = cached(folder=folder / "cache")
  np.testing.assert_array_equal(again.images, images)
  run_dataset_test(again)


def assert_published(cached, *, num_images, shape):
  """The real set is as large as its authors say."""
  assert np.prod(cached.grids[0]) == num_images
  assert len(cached.factor_names) == len(cached.grids[0])
  assert cached.observation_shape == shape
  if cached.published_standardisation is not None:
    mean, std = cached.published_standardisation
    assert len(mean) == len(std) == shape[-1]


def assert_missing_is_named(make, name, file, home, monkeypatch):
  """Without its files, the set called `name` says which, where, and what to run."""
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(home))
  raises_one_line(
    make,
    f"{name}: there is no",
    file,
    home / name,
    f"python bin/prepare_data.py prepare {name}",
  )
  assert not home.exists()


def assert_damage_is_named(cached, file, damage, folder):
  """A damaged `file` of the set is named, and leaves no cache behind."""
  official_formats.write(cached, folder)
  damage(folder / file)
  raises_one_line(
    lambda: cached(folder=folder), "cannot read", folder / file, "fetch it again"
  )
  assert not list(folder.glob("*images.npy*"))


def assert_refused(cached, folder, parts):
  """Files that are not the official ones are named, and leave no cache behind."""
  raises_one_line(lambda: cached(folder=folder), *parts)
  assert not list(folder.glob("*images.npy*"))


def raises_one_line(make, *parts):
  with pytest.raises(UserError) as raised:
    make()
  message = str(raised.value)
  assert "\n" not in message
  for part in parts:
    assert str(part) in message


def truncate(path):
  path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path):
  content = bytearray(path.read_bytes())
  middle = len(content) // 2
  content[middle : middle + 64] = bytes(255 - byte for byte in content[middle:][:64])
  path.write_bytes(content)


def replace(path):
  path.write_bytes(b"<html>404 not found</html>")


DAMAGES = (truncate, scramble, replace)
