"""What odd models answer, in the confined process and with --trusted."""

import keras
import numpy as np
import onnx
import pytest
import tensorflow as tf
from onnx import TensorProto, helper, numpy_helper
from scipy import special, stats
from shared_checks import tiny_data

from disentangle_tf import metrics
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import Measurement, evaluate
from disentangle_tf.foreign.choose.reading import Reading
from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.model_error import ModelError

SHAPE = (4, 4, 1)
IMAGES = np.random.default_rng(0).random((5, *SHAPE), np.float32)
FLAT = IMAGES.reshape(5, 16)
REAL = TensorProto.FLOAT
LIMITS = Limits(memory_gib=2, seconds=30, cpu_seconds=60)


def node(op, inputs, outputs, **options):
  return helper.make_node(op, inputs, outputs, **options)


def value(name, sizes, dtype=REAL):
  return helper.make_tensor_value_info(name, dtype, sizes)


def write(path, nodes, inputs, outputs, **constants):
  """An ONNX file."""
  arrays = [numpy_helper.from_array(np.array(v), k) for k, v in constants.items()]
  graph = helper.make_graph(nodes, "model", inputs, outputs, arrays)
  opsets = [helper.make_opsetid("", 17)]
  model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
  onnx.checker.check_model(model)
  path.write_bytes(model.SerializeToString())
  return path


@pytest.fixture(params=[False, True], ids=["child", "trusted"])
def trusted(request):
  return request.param


def opened(path, trusted, **forced):
  model = ForeignModel(path)
  model.open(SHAPE, reading=Reading(**forced), trusted=trusted, limits=LIMITS)
  return model


def test_an_image_and_both_codes_of_one_function(trusted, tmp_path):
  """As PyTorch names them: relu, getitem, getitem_1."""
  path = write(
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
    assert (
      "getitem taken for the mean, getitem_1 not used" in model.interface.remarks[0]
    )
    np.testing.assert_array_equal(model.reconstruct(IMAGES), IMAGES)
  keys = "getitem", "log_scale=getitem_1"
  with opened(path, trusted, output_key=keys) as model:
    means, log_variances = model.encode(IMAGES)
    np.testing.assert_array_equal(log_variances, 2 * FLAT[:, 8:])


def test_both_halves_of_one_output(trusted, tmp_path):
  path = write(
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
  path = write(
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
  path = write(
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
  path = write(
    tmp_path / "m.onnx",
    [node("Flatten", ["x"], ["flat"]), node("Add", ["flat", "label"], ["z"])],
    [value("x", [2, 1, 4, 4]), value("label", [2, 1])],
    [value("z", [2, 16])],
  )
  with opened(path, trusted, inputs=(("label", 1.0),)) as model:
    np.testing.assert_array_equal(model.encode(IMAGES)[0], FLAT + 1)


def test_answers_that_are_none_are_told_alike(trusted, tmp_path):
  path = write(
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
  """Keras' config tells no shapes, so that only the answer shows it."""
  images = keras.Input(SHAPE, name="images")
  flat = keras.layers.Flatten()(images)
  mean, spread = keras.layers.Dense(3)(flat), keras.layers.Dense(3)(flat)
  again = keras.layers.Rescaling(0.5)(images)
  keras.Model(images, [again, mean, spread]).save(tmp_path / "m.keras")
  with (
    opened(tmp_path / "m.keras", trusted=True) as model,
    pytest.raises(UserError, match="output_0 has as many numbers as an image: .*--out"),
  ):
    model.encode(IMAGES)
  keys = "output_1", "log_variance=output_2", "reconstruction=output_0"
  with opened(tmp_path / "m.keras", trusted=True, output_key=keys) as model:
    assert model.num_latents == 3 and model.has_log_variances
    np.testing.assert_allclose(model.reconstruct(IMAGES), IMAGES / 2)


RNG = np.random.default_rng(1)
TO_CODES = RNG.normal(size=(128, 3)).astype(np.float32) / 8
TO_IMAGES = RNG.normal(size=(3, 128)).astype(np.float32)
LOG_VARIANCE = -25.0  # so sure that a drawn code is the mean


def write_vae(
  path,
  activation=tf.identity,
  input_scale=1.0,
  squeezed=False,
  names=("encode", "px_given_z"),
):
  """A SavedModel whose decoder is called px_given_z; all that it says is known."""
  code_sizes = [3, 1, 1] if squeezed else [3]

  def encode(x):
    mean = tf.reshape(x / input_scale, [-1, 128]) @ TO_CODES
    return {"mean": mean, "log_variance": LOG_VARIANCE + 0 * mean}

  def decode(z):
    logits = tf.reshape(z, [-1, 3]) @ TO_IMAGES
    return {"px": tf.reshape(activation(logits), [-1, 8, 8, 2])}

  specs = {
    "encode": (encode, tf.TensorSpec([None, 8, 8, 2], tf.float32, "x")),
    "px_given_z": (decode, tf.TensorSpec([None, *code_sizes], tf.float32, "z")),
  }
  signatures = {
    name: tf.function(specs[name][0]).get_concrete_function(specs[name][1])
    for name in names
  }
  tf.saved_model.save(tf.Module(), str(path), signatures=signatures)
  return path


def evidence(path, folder, *, trusted=True, **forced):
  return evaluate(
    model=path,
    measurements=[Measurement(metrics.evidence, num_points="all")],
    output_dir=folder,
    data=tiny_data(),
    reading=Reading(**forced),
    trusted=trusted,
  )


def expected_evidence():
  """In closed form, with NumPy."""
  images = np.concatenate([images for _, images in tiny_data().in_order(256)])
  flat = images.reshape(len(images), -1).astype(np.float64)
  means = flat @ TO_CODES
  probabilities = special.expit(means @ TO_IMAGES)
  nats = stats.bernoulli.logpmf(flat.astype(int), probabilities).sum(axis=1).mean()
  each = 0.5 * (means**2 + np.exp(LOG_VARIANCE) - 1 - LOG_VARIANCE)
  kl = each.sum(axis=1).mean()
  return {
    "reconstruction_error": np.mean((flat - probabilities) ** 2),
    "kl": kl,
    "reconstruction_nats": -nats,
    "elbo": nats - kl,
  }


def test_the_evidence_of_a_decoder_of_logits(trusted, tmp_path):
  path = write_vae(tmp_path / "model")
  found = evidence(path, tmp_path / "scores", trusted=trusted, decoder_output="logits")
  assert found["scores"] == pytest.approx(expected_evidence(), rel=1e-3)
  assert not found["skipped"]
  assert "decode by px_given_z as logits" in found["model"]["read_as"]
  assert found["model"]["generative_model"]["likelihood"]["class"] == "Bernoulli"


def test_the_evidence_of_a_decoder_of_probabilities(tmp_path):
  path = write_vae(tmp_path / "model", tf.sigmoid, input_scale=255.0, squeezed=True)
  found = evidence(
    path,
    tmp_path / "scores",
    decoder_output="probabilities",
    input_range=(0.0, 255.0),
    decoder="px_given_z",
  )
  assert found["scores"] == pytest.approx(expected_evidence(), rel=1e-3)


def test_a_decoder_that_says_nothing_has_no_likelihood(tmp_path):
  found = evidence(write_vae(tmp_path / "model", tf.sigmoid), tmp_path / "scores")
  expected = expected_evidence()
  assert set(found["scores"]) == {"reconstruction_error", "kl"}
  for name, score in found["scores"].items():
    assert score == pytest.approx(expected[name], rel=1e-3)
  assert "--decoder_output logits" in found["skipped"]["evidence in nats"]


def test_an_encoder_alone_has_a_kl(tmp_path):
  path = write_vae(tmp_path / "model", names=("encode",))
  found = evidence(path, tmp_path / "scores")
  kl = expected_evidence()["kl"]
  assert found["scores"] == {"kl": pytest.approx(kl, rel=1e-4)}
  assert found["skipped"] == {"evidence of reconstructions": "the model has no decoder"}
  page = (tmp_path / "scores" / "report.html").read_text()
  images = np.concatenate([images for _, images in tiny_data().in_order(256)])
  means = images.reshape(len(images), -1) @ TO_CODES
  most = max(range(3), key=lambda latent: np.mean(means[:, latent] ** 2))
  assert "KL of each latent" in page
  assert page.index(f"<dt>latent {most}</dt>") < page.index(f"latent {(most + 1) % 3}")
