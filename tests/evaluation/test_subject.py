"""Evidence of a foreign decoder, whose likelihood the user states."""

import numpy as np
import pytest
import tensorflow as tf
from scipy import special, stats
from shared_checks import tiny_data

from disentangle_tf import metrics
from disentangle_tf.evaluation import evaluate
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.scoring import Measurement

RNG = np.random.default_rng(1)
TO_CODES = RNG.normal(size=(128, 3)).astype(np.float32) / 8
TO_IMAGES = RNG.normal(size=(3, 128)).astype(np.float32)
LOG_VARIANCE = -25.0  # so sure that a drawn code is the mean


@pytest.fixture(params=[False, True], ids=["child", "trusted"])
def trusted(request):
  return request.param


def write_vae(
  path,
  activation=tf.identity,
  input_scale=1.0,
  squeezed=False,
  names=("encode", "px_given_z"),
):
  """A SavedModel whose decoder is called px_given_z, with known outputs."""
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
