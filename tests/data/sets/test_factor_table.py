import hashlib
import json

import numpy as np
import pytest
import tensorflow as tf
import tensorflow_datasets as tfds
from scipy import stats
from shared_checks import run_dataset_test

from disentangle_tf.data import (
  Batches,
  FactorTable,
  PartialFactorSpace,
  data_from_config,
  data_to_config,
)
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

RNG = np.random.default_rng(0)
GRID = np.stack(np.meshgrid([10, 20, 30], [0.5, 1.5], indexing="ij"), -1).reshape(-1, 2)


def _images(factors):
  """Images that show their factors."""
  images = np.zeros((len(factors), 4, 4, 1), np.uint8)
  images[:, 0, 0, 0] = factors[:, 0]
  images[:, 1, 1, 0] = 10 * factors[:, 1]
  return images


def test_a_whole_grid_in_any_order():
  shuffled = RNG.permutation(GRID)
  data = FactorTable(_images(shuffled), shuffled, names=("size", "angle"))
  assert data.factors.names == ("size", "angle")
  assert data.factors.sizes == (3, 2)
  assert data.one_image_per_point and not data.is_endless
  observed = data.observe(data.factors.to_factors(np.arange(6)))
  np.testing.assert_allclose(observed, _images(GRID) / 255, atol=1e-6)


def test_missing_combinations_are_never_drawn():
  present = GRID[[0, 2, 3, 5]]
  data = FactorTable(_images(present), present)
  assert isinstance(data.factors, PartialFactorSpace)
  assert len(data) == 4
  drawn = data.factors.draw(100, RNG)
  assert {tuple(p) for p in drawn} == {(0, 0), (1, 0), (1, 1), (2, 1)}
  batches = Batches(data, batch_size=64).make(0).numpy()
  known = _images(present) / 255
  assert all(any(np.allclose(image, k, atol=1e-6) for k in known) for image in batches)
  np.testing.assert_array_equal(data.factors.traversal((0, 0), 1), [[0, 0]])
  with pytest.raises(ValueError, match="does not exist"):
    data.factors.to_index([0, 1])


def test_images_that_share_their_factors_are_drawn_evenly():
  factors = np.array([[0], [1], [1], [1], [0]])
  images = np.arange(5, dtype=np.uint8)[:, None, None, None] * np.ones(
    (1, 2, 2, 1), np.uint8
  )
  data = FactorTable(images, factors)
  assert not data.one_image_per_point and len(data) == 2
  assert not data.is_endless and len(data.listed_images()) == 5
  wanted = np.ones((6000, 1), np.int32)
  drawn = np.rint(data.observe(wanted, stream_seed(0, "x")).numpy()[:, 0, 0, 0] * 255)
  counts = np.bincount(drawn.astype(int), minlength=5)
  assert counts[[0, 4]].sum() == 0
  assert stats.chisquare(counts[1:4]).pvalue > 1e-3
  np.testing.assert_array_equal(data.observe(wanted), data.observe(wanted))


def test_npz(tmp_path):
  path = tmp_path / "mine.npz"
  np.savez(path, x=_images(GRID), y=GRID)
  data = FactorTable.from_npz(path, images="x", factors="y")
  run_dataset_test(data, num_points=6)
  assert data_to_config(data)["arguments"]["path"] == str(path)
  with pytest.raises(UserError, match="no array 'factors', it has x, y"):
    FactorTable.from_npz(path)
  with pytest.raises(UserError, match="no file"):
    FactorTable.from_npz(tmp_path / "none.npz")
  path.write_bytes(path.read_bytes()[:200])
  with pytest.raises(UserError, match="cannot be read"):
    FactorTable.from_npz(path, images="x", factors="y")


def test_the_names_in_an_npz(tmp_path):
  path = tmp_path / "mine.npz"
  np.savez(path, images=_images(GRID), factors=GRID, names=["size", "angle"])
  assert FactorTable.from_npz(path).factors.names == ("size", "angle")
  chosen = FactorTable.from_npz(path, names=("a", "b"))
  assert chosen.factors.names == ("a", "b")
  again = data_from_config(json.loads(json.dumps(data_to_config(chosen))))
  assert again.factors.names == ("a", "b")


@pytest.mark.parametrize(
  ("names", "message"),
  [
    (["size", "angle", "hue"], "2 factors are called size, angle, hue: 2 different"),
    (["size", "size"], "2 different names"),
    ([1, 2], "a string for each"),
    (np.array(["a", "b"], dtype=object), "its array 'names' cannot be read"),
  ],
)
def test_wrong_names_are_reported_as_such(tmp_path, names, message):
  path = tmp_path / "mine.npz"
  np.savez(path, images=_images(GRID), factors=GRID, names=names)
  with pytest.raises(UserError, match=message) as error:
    FactorTable.from_npz(path)
  assert "mine.npz" in str(error.value) and "as npz" not in str(error.value)


def test_wrong_names_of_the_user(tmp_path):
  path = tmp_path / "mine.npz"
  np.savez(path, images=_images(GRID), factors=GRID)
  with pytest.raises(UserError, match="2 factors are called size"):
    FactorTable.from_npz(path, names=("size",))
  with pytest.raises(UserError, match="a string for each"):
    FactorTable.from_npz(path, names="size")


def test_the_file_is_found_from_anywhere_and_checked(tmp_path, monkeypatch):
  path = tmp_path / "mine.npz"
  np.savez(path, images=_images(GRID), factors=GRID)
  monkeypatch.chdir(tmp_path)
  config = data_to_config(FactorTable.from_npz("mine.npz"))
  assert config["arguments"]["path"] == str(path)
  known = hashlib.sha256(path.read_bytes()).hexdigest()
  assert config["arguments"]["sha256"] == known
  monkeypatch.chdir("/")
  config = json.loads(json.dumps(config))
  assert len(data_from_config(config)) == 6
  np.savez(path, images=255 - _images(GRID), factors=GRID)
  with pytest.raises(UserError, match=f"has changed.*{known} was expected"):
    data_from_config(config)


def test_channels_that_come_first():
  images = np.moveaxis(_images(GRID).repeat(3, axis=-1), -1, 1)  # [6, 3, 4, 4]
  wide = images.repeat(8, axis=2).repeat(8, axis=3)  # [6, 3, 32, 32]
  with pytest.raises(UserError, match="have 32 channels, unless.*'NCHW'"):
    FactorTable(wide, GRID)
  data = FactorTable(wide, GRID, layout="NCHW")
  assert data.observation_shape == (32, 32, 3)
  np.testing.assert_array_equal(
    data.observe([[1, 1]])[0], np.moveaxis(wide[3], 0, -1) / np.float32(255)
  )
  assert FactorTable(wide, GRID, layout="NHWC").observation_shape == (3, 32, 32)
  with pytest.raises(UserError, match="layout is 'NWHC'"):
    FactorTable(wide, GRID, layout="NWHC")


def test_factors_without_a_value():
  with pytest.raises(UserError, match="NaN"):
    FactorTable(_images(GRID), np.where(GRID == 10, np.nan, GRID))


def test_too_many_combinations():
  factors = RNG.random((2_000, 6))
  with pytest.raises(UserError, match="round continuous factors"):
    FactorTable(np.zeros((2_000, 2, 2, 1)), factors)


def test_tensorflow_data_sets():
  with tfds.testing.mock_data(num_examples=30):
    data = FactorTable.from_tfds("mnist", labels=("label",))
    assert data.observation_shape == (28, 28, 1)
    assert data.factors.names == ("label",)
    with pytest.raises(UserError, match="no 'colour', it has"):
      FactorTable.from_tfds("mnist", labels=("colour",))


def test_a_table_of_arrays_cannot_be_made_again():
  data = FactorTable(_images(GRID), GRID)
  with pytest.raises(UserError, match="data="):
    data_from_config(data_to_config(data))


@pytest.mark.parametrize(
  ("images", "factors"),
  [
    (np.zeros((6, 4)), GRID),
    (np.zeros((5, 4, 4, 1)), GRID),
    (np.full((6, 4, 4, 1), 2.0), GRID),
    (np.full((6, 4, 4, 1), np.nan), GRID),
    (np.zeros((6, 4, 4, 1), np.int32), GRID),
    (np.zeros((0, 4, 4, 1)), np.zeros((0, 2))),
  ],
)
def test_arrays_that_are_no_images(images, factors):
  with pytest.raises(UserError):
    FactorTable(images, factors)


def test_float_images_stay_as_they_are():
  images = RNG.random((6, 4, 4, 3), np.float32)
  data = FactorTable(images, GRID)
  observed = tf.function(data.observe)(data.factors.to_factors(np.arange(6)))
  np.testing.assert_array_equal(observed, images)
