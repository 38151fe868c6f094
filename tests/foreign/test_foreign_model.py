import hashlib
import os
import subprocess
import sys

import keras
import numpy as np
import pytest
import tensorflow as tf
from foreign_models import (
  Encoder,
  all_codes,
  compute,
  write_hub_module,
  write_keras,
  write_module,
  write_onnx,
)
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models, networks
from disentangle_tf.data import Batches
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.sandbox.limits import Limits

SHAPE = (8, 8, 2)
SPEC = tf.TensorSpec([None, *SHAPE], tf.float32, name="x")
LIMITS = Limits(memory_gib=8, seconds=60)
FORMATS = ("module", "hub", "onnx", "keras", "export")


@pytest.fixture(scope="module")
def encoder():
  return Encoder(tiny_model())


@pytest.fixture(scope="module")
def images():
  return Batches(tiny_data(), batch_size=7).make(0).numpy()


@pytest.fixture(scope="module")
def expected(encoder, images):
  return [part.numpy() for part in compute(images, encoder.parts())]


@pytest.fixture(scope="module")
def written(encoder, exported, tmp_path_factory):
  folder = tmp_path_factory.mktemp("formats")
  return {
    "module": write_module(folder / "module", encoder),
    "hub": write_hub_module(folder / "hub", encoder),
    "onnx": write_onnx(folder / "model.onnx", encoder),
    "keras": write_keras(folder / "model.keras", encoder),
    "export": exported[0],
  }


def assert_same_codes(model, images, expected):
  for found, wanted in zip(model.encode(images), expected, strict=True):
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, wanted, atol=1e-5)


@pytest.mark.parametrize("kind", FORMATS)
def test_codes_in_this_process(kind, written, images, expected):
  with ForeignModel(written[kind]) as model:
    model.open(SHAPE, trusted=True)
    assert_same_codes(model, images, expected)
    assert "--trusted" in model.sandbox["skipped"]


@pytest.mark.parametrize("kind", ["module", "hub", "onnx", "keras"])
def test_codes_in_a_process_of_its_own(kind, written, images, expected):
  with ForeignModel(written[kind]) as model:
    model.open(SHAPE, limits=LIMITS)
    assert_same_codes(model, images, expected)
    assert_same_codes(model, images[:1], [part[:1] for part in expected])
    assert model.has_log_variances and not model.can_reconstruct
    assert model.sandbox["memory_gib"] == 8


def test_our_own_export(exported, images, expected):
  folder, ours = exported
  with ForeignModel(folder) as model:
    model.open(SHAPE, limits=LIMITS)
    assert_same_codes(model, images, expected)
    assert model.can_reconstruct
    np.testing.assert_allclose(
      model.decode(expected[0]), ours.decode_images(expected[0]), atol=1e-5
    )
    np.testing.assert_allclose(
      model.reconstruct(images), ours.reconstruct(images), atol=1e-5
    )
    assert (model.manifest_folder / "manifest.json").is_file()


def test_many_images(written, encoder):
  means, log_variances, factors = all_codes(encoder)
  with ForeignModel(written["onnx"]) as model:
    model.open(SHAPE, limits=LIMITS)
    images = np.repeat(tiny_data().observe(factors), 40, axis=0)
    assert images.nbytes > 2**22
    expected = [np.repeat(part, 40, axis=0) for part in (means, log_variances)]
    assert_same_codes(model, images, expected)


def test_hashes(written):
  path = written["onnx"]
  with ForeignModel(path) as model:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert model.sha256 == {"model.onnx": digest}
    assert len(model.sha256_of_all) == 64 != digest
  with ForeignModel(written["module"]) as model:
    assert {"saved_model.pb", "variables/variables.index"} < set(model.sha256)


def test_the_copy_is_what_is_loaded(encoder, images, expected, tmp_path):
  path = write_onnx(tmp_path / "m.onnx", encoder)
  with ForeignModel(path) as model:
    path.write_bytes(b"something else")
    model.open(SHAPE, limits=LIMITS)
    assert_same_codes(model, images, expected)


def write_function(path, function, spec=SPEC):
  concrete = tf.function(function).get_concrete_function(spec)
  tf.saved_model.save(tf.Module(), str(path), signatures=concrete)
  return path


def test_a_fixed_batch_size(encoder, images, expected, tmp_path):
  spec = tf.TensorSpec([4, *SHAPE], tf.float32, name="x")
  parts = encoder.parts()

  def encode(x):
    x.shape.assert_is_compatible_with([4, *SHAPE])
    return dict(zip(("mean", "log_variance"), compute(x, parts), strict=True))

  with ForeignModel(write_function(tmp_path / "m", encode, spec)) as model:
    model.open(SHAPE, trusted=True)
    assert_same_codes(model, images, expected)


def test_a_model_of_bytes(encoder, images, expected, tmp_path):
  spec = tf.TensorSpec([None, *SHAPE], tf.uint8, name="x")
  parts = encoder.parts()

  def encode(x):
    mean, log_variance = compute(tf.cast(x, tf.float32) / 255, parts)
    return {"mean": mean, "log_variance": log_variance}

  with ForeignModel(write_function(tmp_path / "m", encode, spec)) as model:
    model.open(SHAPE, trusted=True)
    assert model.interface.input_range == (0.0, 255.0)
    assert set(np.unique(images)) == {0, 1}  # so that nothing is rounded
    assert_same_codes(model, images, expected)


def test_another_range(encoder, images, expected, tmp_path):
  parts = encoder.parts()

  def encode(x):
    return {"mean": compute((x + 1) / 2, parts)[0]}

  with ForeignModel(write_function(tmp_path / "m", encode)) as model:
    model.open(SHAPE, trusted=True, reading=Reading(input_range=(-1.0, 1.0)))
    means, log_variances = model.encode(images)
    np.testing.assert_allclose(means, expected[0], atol=1e-5)
    assert log_variances is None and not model.has_log_variances


@pytest.mark.parametrize(
  ("outputs", "match"),
  [
    ({"mean": 3, "log_variance": 5}, r"\[3, 5\] numbers"),
    ({"mean": 3, "log_variance": 4}, r"\[3, 4\] numbers"),
  ],
)
def test_a_spread_of_another_size(outputs, match, tmp_path):
  def encode(x):
    return {name: tf.ones([tf.shape(x)[0], size]) for name, size in outputs.items()}

  with ForeignModel(write_function(tmp_path / "m", encode)) as model:
    model.open(SHAPE, trusted=True)
    with pytest.raises(ModelError, match=match):
      model.encode(np.zeros((2, *SHAPE)))


def test_a_spread_that_is_none(tmp_path):
  def encode(x):
    ones = tf.ones([tf.shape(x)[0], 3])
    return {"mean": ones, "log_scale": ones * 3e38}

  with ForeignModel(write_function(tmp_path / "m", encode)) as model:
    model.open(SHAPE, trusted=True)
    with pytest.raises(ModelError, match="log_scale is not one: see output_key"):
      model.encode(np.zeros((2, *SHAPE)))


def test_images_of_another_size(written):
  with (
    ForeignModel(written["onnx"]) as model,
    pytest.raises(UserError, match=r"no images of shape \(64, 64, 1\).* onnx: "),
  ):
    model.open((64, 64, 1))


def test_what_is_no_model(tmp_path):
  (tmp_path / "notes.txt").write_text("x")
  for path, match in (
    (tmp_path / "nothing", "does not exist"),
    (tmp_path, "no saved_model.pb, but notes.txt"),
    (tmp_path / "notes.txt", "is not a model"),
  ):
    with pytest.raises(UserError, match=match):
      ForeignModel(path)


def test_a_pipe_is_no_model(tmp_path):
  os.mkfifo(tmp_path / "model.onnx")
  with pytest.raises(UserError, match="is not a model"):
    ForeignModel(tmp_path / "model.onnx")


def test_a_keras_file_of_this_project(images, tmp_path):
  """Its classes are code, so it needs `trusted`, and then offers every function."""
  model = tiny_model()
  model.save(tmp_path / "ours.keras")
  with ForeignModel(tmp_path / "ours.keras") as opened:
    with pytest.raises(ModelError, match="custom class.*--trusted"):
      opened.open(SHAPE)
    opened.open(SHAPE, trusted=True)
    assert opened.image_shape == SHAPE and opened.num_latents == 3
    mean, log_variances = opened.encode(images)
    posterior = model.encode(images)
    np.testing.assert_allclose(mean, posterior.mean(), atol=1e-6)
    variances = np.log(posterior.variance())
    np.testing.assert_allclose(log_variances, variances, rtol=1e-5, atol=1e-5)
    for name, given in (("decode", mean), ("reconstruct", images)):
      shown = model.decode_images(mean)
      np.testing.assert_allclose(getattr(opened, name)(given), shown, atol=1e-6)


_OF_THE_CHILD = """
import numpy as np
from disentangle_tf.foreign.sandbox.running import load_model
model = load_model("own_keras", {file!r}, None)
codes = np.load({codes!r})
np.save({images!r}, model._signatures["decode"][0](codes)["images"])
"""


def test_a_keras_file_with_layers_of_this_project(tmp_path):
  """In a process that has not imported the networks."""
  encoder, _ = tiny_networks()
  decoder = networks.spatial_broadcast_decoder(SHAPE, latents=3, filters=(4,))
  model = models.VAE(encoder, decoder, losses.MSE())
  codes = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
  file, images = tmp_path / "ours.keras", tmp_path / "images.npy"
  model.save(file)
  np.save(tmp_path / "codes.npy", codes)
  program = _OF_THE_CHILD.format(
    file=str(file), codes=str(tmp_path / "codes.npy"), images=str(images)
  )
  subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
  np.testing.assert_allclose(np.load(images), model.decode_images(codes), atol=1e-5)


_WITH_TRUST = """
import numpy as np
from disentangle_tf.foreign.foreign_model import ForeignModel
with ForeignModel({file!r}) as model:
  model.open((8, 8, 2), trusted=True)
  np.save({codes!r}, model.encode(np.ones((5, 8, 8, 2), np.float32))[0])
"""


def test_a_keras_model_with_layers_of_this_project(tmp_path):
  """Another Keras model, in a process that has not imported the networks."""
  images = keras.Input(SHAPE)
  flat = keras.layers.Dense(2)(keras.layers.Flatten()(images))
  grid = networks.spatial_broadcast.SpatialBroadcast(3, 3)(flat)
  model = keras.Model(images, keras.layers.GlobalAveragePooling2D()(grid))
  file, codes = tmp_path / "theirs.keras", tmp_path / "codes.npy"
  model.save(file)
  with (
    ForeignModel(file) as opened,
    pytest.raises(ModelError, match="custom class.*SpatialBroadcast"),
  ):
    opened.open(SHAPE)
  program = _WITH_TRUST.format(file=str(file), codes=str(codes))
  subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
  expected = model(np.ones((5, *SHAPE), np.float32))
  np.testing.assert_allclose(np.load(codes), expected, atol=1e-5)


def test_a_keras_file_of_this_project_without_a_decoder(images, tmp_path):
  model = models.PCL(tiny_networks()[0], latents=3)
  model.save(tmp_path / "ours.keras")
  with ForeignModel(tmp_path / "ours.keras") as opened:
    opened.open(SHAPE, trusted=True)
    assert not opened.can_reconstruct
    means, _ = opened.encode(images)
    np.testing.assert_allclose(means, model.encode(images).mean(), atol=1e-6)


def test_a_model_that_is_not_open(written, images):
  with (
    ForeignModel(written["onnx"]) as model,
    pytest.raises(UserError, match=r"not open: call open\(image_shape\) first"),
  ):
    model.encode(images)
