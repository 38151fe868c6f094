import numpy as np
import pytest
import tensorflow as tf
from markupsafe import escape
from shared_checks import tiny_data, tiny_model

from disentangle_tf import export, losses, metrics
from disentangle_tf.data import Batches
from disentangle_tf.evaluation import evaluate
from disentangle_tf.evaluation.model_warnings import model_warnings
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.scoring import Measurement

SHAPE = (8, 8, 2)
TO_CODES = np.random.default_rng(0).normal(size=(128, 4)).astype(np.float32) / 4
TO_IMAGES = np.linalg.pinv(TO_CODES)  # the best that four codes allow
MIDDLE = Batches(tiny_data(), batch_size=256).make(1).numpy().mean(axis=0).reshape(-1)


def encode(x):
  return (tf.reshape(x, [-1, 128]) - MIDDLE) @ TO_CODES


def decode(z):
  return tf.reshape(z @ TO_IMAGES + MIDDLE, [-1, *SHAPE])


def write(path, encoder, decoder=None):
  """A SavedModel of an encoder that gives named outputs, and a decoder of images."""
  specs = {"encode": (encoder, [None, *SHAPE])}
  if decoder is not None:
    specs["decode"] = (lambda z: {"images": decoder(z)}), [None, 4]
  signatures = {
    name: tf.function(function).get_concrete_function(tf.TensorSpec(sizes))
    for name, (function, sizes) in specs.items()
  }
  tf.saved_model.save(tf.Module(), str(path), signatures=signatures)
  return path


def warnings_of(path, **forced):
  with ForeignModel(path) as model:
    reading = Reading(**forced)
    standardisation = tiny_data().standardisation()
    model.open(SHAPE, reading=reading, standardisation=standardisation, trusted=True)
    return model_warnings(model, tiny_data())


def means(x):
  return {"mean": encode(x)}


def posteriors(x):
  return {"mean": encode(x), "log_variance": 0 * encode(x) - 4}


@pytest.mark.parametrize("loss", [losses.MSE, losses.Bernoulli])
def test_our_own_exports_are_silent(loss, tmp_path, caplog):
  """Even before they are trained, when a decoder's images are far from any."""
  export.write_export(
    tiny_model(reconstruction=loss()), tmp_path / "export", data=tiny_data()
  )
  result = evaluate(
    model=tmp_path / "export",
    measurements=[Measurement(metrics.active_units, num_points=100)],
    output_dir=tmp_path / "scores",
    trusted=True,
  )
  assert result["warnings"] == [] and "warning" not in caplog.text


@pytest.mark.parametrize("encoder", [means, posteriors])
@pytest.mark.parametrize("decoder", [None, decode])
def test_honest_models_are_silent(encoder, decoder, tmp_path):
  assert warnings_of(write(tmp_path / "m", encoder, decoder)) == []


def half_precision(x):
  return {"mean": tf.cast(tf.cast(encode(x), tf.bfloat16), tf.float32)}


def test_rounding_is_no_noise(tmp_path):
  assert warnings_of(write(tmp_path / "m", half_precision)) == []


def sampled(x):
  z = encode(x)
  return {"mean": z + 0.1 * tf.random.normal(tf.shape(z))}


def sampled_with_a_seed(x):
  z = encode(x)
  return {"mean": z + 0.1 * tf.random.stateless_normal(tf.shape(z), [1, 2])}


def normalised_over_the_batch(x):
  z = encode(x)
  return {"mean": z - tf.reduce_mean(z, axis=0)}


@pytest.mark.parametrize(
  "encoder", [sampled, sampled_with_a_seed, normalised_over_the_batch]
)
def test_random_codes(encoder, tmp_path):
  (warning,) = warnings_of(write(tmp_path / "m", encoder))
  assert "the same images got other codes" in warning
  assert "output_key" in warning and "check inputs" in warning


def test_codes_that_are_all_the_same(tmp_path):
  path = write(tmp_path / "m", lambda x: {"mean": 0 * encode(x) + 3})
  (warning,) = warnings_of(path)
  assert "codes of all images are the same" in warning and "input_range" in warning


def test_codes_as_wide_as_an_image(tmp_path):
  path = write(tmp_path / "m", lambda x: {"mean": tf.reshape(x, [-1, 128])})
  (warning,) = warnings_of(path)
  assert "128 numbers, as many as an image" in warning and "output_key" in warning


@pytest.mark.parametrize("decoder", [None, lambda z: decode(z / 100)])
def test_a_kl_out_of_proportion(decoder, tmp_path):
  """A model of dark images, in [0, 0.01], is given those in [0, 1]."""

  def encoder(x):
    z = 100 * encode(x)
    return {"mean": z, "log_variance": 0 * z - 4}

  def shifted(z):
    return 1 - decoder(z)

  path = write(tmp_path / "m", encoder, decoder and shifted)
  found = warnings_of(path)
  assert len(found) == 1 and "input_range" in found[0]
  nats = float(found[0].split("the KL is ")[1].split()[0])
  images = Batches(tiny_data(), batch_size=64).make(0).numpy()
  z = 100 * encode(images).numpy()
  kl = 0.5 * np.sum(z**2 + np.exp(-4) - 1 + 4, axis=1).mean()
  assert nats == pytest.approx(kl, rel=1e-3)
  assert ("variance" in found[0]) == (decoder is not None)


def test_a_high_kl_that_is_of_use(tmp_path):
  def encoder(x):
    return {"mean": 100 * encode(x), "log_variance": 0 * encode(x) - 4}

  assert warnings_of(write(tmp_path / "m", encoder, lambda z: decode(z / 100))) == []


def test_reconstructions_worse_than_any_image(tmp_path):
  (warning,) = warnings_of(write(tmp_path / "m", posteriors, lambda z: 1 - decode(z)))
  assert "more than an unrelated image" in warning
  assert "decoder_output" in warning


def logits(z):
  return 12 * decode(z) - 6


def test_a_decoder_of_logits(tmp_path):
  path = write(tmp_path / "m", posteriors, logits)
  (warning,) = warnings_of(path)
  assert "the decoder's images reach from -" in warning
  assert "input_range and decoder_output" in warning
  assert warnings_of(path, decoder_output="logits") == []


def test_what_are_no_probabilities(tmp_path):
  path = write(tmp_path / "m", posteriors, lambda z: decode(z) * 1.4 - 0.2)
  assert warnings_of(path) == []  # it may just overshoot
  (warning,) = warnings_of(path, decoder_output="probabilities")
  assert "rather than from 0 to 1" in warning


def test_standardised_images(tmp_path):
  mean, std = (np.float32(part) for part in tiny_data().standardisation())
  path = write(tmp_path / "m", posteriors, lambda z: (decode(z) - mean) / std)
  (warning,) = warnings_of(path)
  assert "rather than from 0 to 1" in warning
  assert warnings_of(path, decoder_output="standardised") == []


def test_warnings_are_said_kept_and_shown(tmp_path, caplog):
  path = write(tmp_path / "m", lambda x: {"mu_logvar": encode(x)}, logits)
  result = evaluate(
    model=path,
    measurements=[Measurement(metrics.mig, num_points=100)],
    output_dir=tmp_path / "scores",
    data=tiny_data(),
    trusted=True,
  )
  doubt, reach = result["warnings"]
  assert "output_key mean+log_variance=mu_logvar" in doubt
  assert "decoder_output" in reach
  said = caplog.messages
  page = (tmp_path / "scores" / "report.html").read_text()
  assert page.index("Warnings") < page.index("Scores</h2>")
  for warning in (doubt, reach):
    assert said.count(f"{path}: warning: {warning}") == 1
    assert escape(warning) in page
