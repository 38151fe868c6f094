import json

import numpy as np
import pytest
import tensorflow as tf
from manipulated_sets import write_manipulated
from shared_checks import run_dataset_test

from disentangle_tf.data import (
  Manipulated,
  Spot,
  UniformNoise,
  data_from_config,
  data_to_config,
)
from disentangle_tf.errors import UserError


@pytest.fixture
def folder(tmp_path):
  return write_manipulated(tmp_path / "hard")


def test_keeps_the_promises_of_a_data_set(folder):
  run_dataset_test(Manipulated(Spot(), folder))


def test_each_image_has_its_picture_added(folder):
  data = Manipulated.from_folder(folder)
  factors = data.factors.to_factors(np.arange(6))
  change = data.observe(factors).numpy() - Spot().observe(factors).numpy()
  expected = np.zeros((6, 16, 16, 1))
  expected[[1, 4], 0, 0] = 25 / 255
  expected[[2, 5]] = -25 / 255
  np.testing.assert_allclose(change, expected, atol=1e-6)
  assert np.abs(change).max() <= data.epsilon and data.name == "spot_manipulated"


def test_the_same_bits_compiled_or_not(folder):
  data = Manipulated(Spot(), folder)
  factors = tf.constant(data.factors.to_factors(np.arange(169)), tf.int32)
  eager = data.observe(factors).numpy()
  for compiled in (False, True):
    traced = tf.function(data.observe, jit_compile=compiled)
    np.testing.assert_array_equal(traced(factors), eager)
  np.testing.assert_array_equal(data.observe(factors[3:7]), eager[3:7])


def test_is_told_in_a_manifest(folder):
  data = Manipulated(Spot(), folder)
  again = data_from_config(data_to_config(data))
  np.testing.assert_array_equal(again.observe([[1, 2]]), data.observe([[1, 2]]))


def test_of_another_set(folder):
  with pytest.raises(UserError, match="is a manipulation of .*'Spot'.*not of"):
    Manipulated(UniformNoise(Spot(), 0.1), folder)


@pytest.mark.parametrize(
  ("told", "words"),
  [
    ({"epsilon": 0.05}, "do not fit each other or epsilon"),
    ({"epsilon": 0.6}, "its epsilon is 0.6"),
    ({"epsilon": "0.1"}, "its epsilon is '0.1'"),
    ({"manipulation_format": 2}, "its format is 2"),
    ({"sha256": {}}, "place.npy cannot be read"),
    ({"sha256": {"place.npy": "0", "curve.npy": "0"}}, "place.npy has changed"),
    ({"data": []}, "data or sha256 is missing"),
    ({"data": {"class": "Cars3D", "arguments": {}}}, "trusted.* to True"),
  ],
)
def test_a_manifest_that_lies(folder, told, words):
  path = folder / "manifest.json"
  path.write_text(json.dumps({**json.loads(path.read_text()), **told}))
  with pytest.raises(UserError, match=words) as raised:
    Manipulated.from_folder(folder)
  assert "\n" not in str(raised.value)


def test_arrays_that_do_not_fit(tmp_path):
  few = np.zeros((1, 16, 16, 1), np.int8)
  with pytest.raises(UserError, match="do not fit each other"):
    Manipulated.from_folder(write_manipulated(tmp_path / "a", np.arange(169) % 2, few))
  with pytest.raises(UserError, match=r"place.npy holds uint16 \(5,\)"):
    Manipulated.from_folder(write_manipulated(tmp_path / "b", np.zeros(5), few))
  with pytest.raises(UserError, match="curve.npy holds float32"):
    Manipulated.from_folder(
      write_manipulated(tmp_path / "c", np.zeros(169), few.astype("f4"))
    )
  with pytest.raises(UserError, match=r"curve.npy holds int8 \(1, 8, 8, 1\)"):
    Manipulated.from_folder(
      write_manipulated(tmp_path / "d", np.zeros(169), few[:, ::2, ::2])
    )


def test_pickles_are_not_read(tmp_path):
  curve = np.array([{"a": 1}], object)
  with pytest.raises(UserError, match="curve.npy cannot be read"):
    Manipulated.from_folder(write_manipulated(tmp_path / "a", np.zeros(169), curve))


def test_a_folder_without_a_manifest(tmp_path):
  with pytest.raises(UserError, match="is no manipulated set: there is no manifest"):
    Manipulated.from_folder(tmp_path / "nowhere")
