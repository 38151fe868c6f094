"""Answers of models, in the sandbox and in this process."""

import keras
import numpy as np
import pytest
from onnx import TensorProto
from onnx_files import REAL, node, value, write_graph

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.sandbox.limits import Limits

SHAPE = (4, 4, 1)
IMAGES = np.random.default_rng(0).random((5, *SHAPE), np.float32)
FLAT = IMAGES.reshape(5, 16)
LIMITS = Limits(memory_gib=2, seconds=30, cpu_seconds=60)


@pytest.fixture(params=[False, True], ids=["child", "trusted"])
def trusted(request):
  return request.param


def opened(path, trusted, **forced):
  model = ForeignModel(path)
  model.open(SHAPE, reading=Reading(**forced), trusted=trusted, limits=LIMITS)
  return model


def test_an_image_and_both_codes_of_one_function(trusted, tmp_path):
  """As PyTorch names them: relu, getitem, getitem_1."""
  path = write_graph(
    tmp_path / "m.onnx",
    [
      node("Relu", ["x"], ["relu"]),
      node("Flatten", ["x"], ["flat"]),
      node("Split", ["flat"], ["getitem", "getitem_1"], axis=1),
    ],
    [value("x", ["n", 1, 4, 4])],
    [
      value("relu", ["n", 1, 4, 4]),
      value("getitem", ["n", 8]),
      value("getitem_1", ["n", 8]),
    ],
  )
  with opened(path, trusted) as model:
    means, log_variances = model.encode(IMAGES)
    np.testing.assert_array_equal(means, FLAT[:, :8])
    assert log_variances is None
    assert "getitem used as the mean, getitem_1 not used" in model.interface.remarks[0]
    np.testing.assert_array_equal(model.reconstruct(IMAGES), IMAGES)
  keys = "getitem", "log_scale=getitem_1"
  with opened(path, trusted, output_key=keys) as model:
    means, log_variances = model.encode(IMAGES)
    np.testing.assert_array_equal(log_variances, 2 * FLAT[:, 8:])


def test_both_halves_of_one_output(trusted, tmp_path):
  path = write_graph(
    tmp_path / "m.onnx",
    [node("Flatten", ["x"], ["h"])],
    [value("x", ["n", 1, 4, 4])],
    [value("h", ["n", 16])],
  )
  with opened(path, trusted, output_key=("mean+log_variance=h",)) as model:
    means, log_variances = model.encode(IMAGES)
    np.testing.assert_array_equal(means, FLAT[:, :8])
    np.testing.assert_array_equal(log_variances, FLAT[:, 8:])
    assert model.num_latents == 8 and model.has_log_variances


def test_inputs_with_values(trusted, tmp_path):
  path = write_graph(
    tmp_path / "m.onnx",
    [
      node("Reshape", ["x", "sizes"], ["flat"]),
      node("Mul", ["flat", "keep_prob"], ["kept"]),
      node("Cast", ["steps"], ["real_steps"], to=REAL),
      node("Add", ["kept", "real_steps"], ["sum"]),
      node("Where", ["training", "zero", "sum"], ["z"]),
    ],
    [
      value("x", ["n", 4, 4]),
      value("keep_prob", []),
      value("steps", ["n", 1], TensorProto.INT64),
      value("training", [1], TensorProto.BOOL),
    ],
    [value("z", ["n", 16])],
    sizes=[-1, 16],
    zero=np.float32(0),
  )
  values = ("keep_prob", 0.5), ("steps", 3)
  with opened(path, trusted, inputs=values) as model:
    np.testing.assert_allclose(model.encode(IMAGES)[0], FLAT / 2 + 3)
  with opened(path, trusted, inputs=(*values, ("training", True))) as model:
    np.testing.assert_array_equal(model.encode(IMAGES)[0], 0 * FLAT)


@pytest.mark.parametrize("kind", ["BFLOAT16", "FLOAT16", "DOUBLE"])
def test_precisions(kind, trusted, tmp_path):
  dtype = getattr(TensorProto, kind)
  path = write_graph(
    tmp_path / "m.onnx",
    [
      node("Cast", ["x"], ["real"], to=REAL),
      node("Flatten", ["real"], ["flat"]),
      node("Cast", ["flat"], ["z"], to=dtype),
    ],
    [value("x", ["n", 1, 4, 4], dtype)],
    [value("z", ["n", 16], dtype)],
  )
  with opened(path, trusted) as model:
    means, _ = model.encode(IMAGES)
    assert means.dtype == np.float32
    np.testing.assert_allclose(means, FLAT, rtol=2**-8)


def test_a_fixed_batch_size_with_values(trusted, tmp_path):
  path = write_graph(
    tmp_path / "m.onnx",
    [node("Flatten", ["x"], ["flat"]), node("Add", ["flat", "label"], ["z"])],
    [value("x", [2, 1, 4, 4]), value("label", [2, 1])],
    [value("z", [2, 16])],
  )
  with opened(path, trusted, inputs=(("label", 1.0),)) as model:
    np.testing.assert_array_equal(model.encode(IMAGES)[0], FLAT + 1)


def test_answers_that_are_none_are_told_alike(trusted, tmp_path):
  path = write_graph(
    tmp_path / "m.onnx",
    [node("Flatten", ["x"], ["flat"]), node("Log", ["flat"], ["z"])],
    [value("x", ["n", 1, 4, 4])],
    [value("z", ["n", 16])],
  )
  with (
    opened(path, trusted) as model,
    pytest.raises(ModelError, match="NaN or infinity .in number 1 of the 16 it gives"),
  ):
    model.encode(0 * IMAGES)


def test_a_keras_model_that_gives_an_image_first(tmp_path):
  """The config of Keras states no shapes, so only the answer shows it."""
  images = keras.Input(SHAPE, name="images")
  flat = keras.layers.Flatten()(images)
  mean, spread = keras.layers.Dense(3)(flat), keras.layers.Dense(3)(flat)
  again = keras.layers.Rescaling(0.5)(images)
  keras.Model(images, [again, mean, spread]).save(tmp_path / "m.keras")
  with (
    opened(tmp_path / "m.keras", trusted=True) as model,
    pytest.raises(UserError, match="output_0 has as many numbers as .*output_key"),
  ):
    model.encode(IMAGES)
  keys = "output_1", "log_variance=output_2", "reconstruction=output_0"
  with opened(tmp_path / "m.keras", trusted=True, output_key=keys) as model:
    assert model.num_latents == 3 and model.has_log_variances
    np.testing.assert_allclose(model.reconstruct(IMAGES), IMAGES / 2)
