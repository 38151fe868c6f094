"""Theory is measured on what a decoder computes, not on images clipped to [0, 1].

A linear decoder of images on a black background, half of which it moves below 0, with
posteriors as the law has them: implied beta, misalignment and noise are known.
"""

import json

import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data

from disentangle_tf import export, losses, models, networks
from disentangle_tf.data import Batches
from disentangle_tf.evaluation import evaluate
from disentangle_tf.scoring import protocols
from disentangle_tf.training import Scoring
from disentangle_tf.training.scorer import SCORES, Scorer

BETA = 0.5
DATA = tiny_data()
SHAPE = DATA.observation_shape
PIXELS = np.prod(SHAPE)
IMAGES = Batches(DATA, batch_size=256).make(0).numpy().reshape(256, -1)


def _law(seed):
  """(decoder's weights [latents, pixels], mean image, variances, truth)."""
  rng = np.random.default_rng(seed)
  columns = np.linalg.qr(rng.normal(size=(PIXELS, 2)))[0]
  lengths = rng.uniform(1.0, 3.0, 2)  # squared
  weights = (columns * np.sqrt(lengths)).T
  mean = np.where(rng.random(PIXELS) < 0.51, 0.0, 0.5)  # black, and grey
  variances = 1 / (1 + 2 * lengths / BETA)
  truth = {
    "implied_beta": BETA,
    "misalignment": 0.0,
    "column_cosine": 0.0,
    "distance_to_orthogonality": 0.0,
    "stochastic_error": float(variances @ lengths),
    "curvature_error": 0.0,
    "clipped_pixels": 0.0,
  }
  return weights, mean, variances, truth


def _to_codes():
  """Weights and bias of means that have the prior's variance."""
  directions = np.linalg.svd(IMAGES - IMAGES.mean(0), full_matrices=False)[2][:2].T
  weights = directions / (IMAGES @ directions).std(0)
  return weights, -IMAGES.mean(0) @ weights


def _model(seed, loss, standardisation=None):
  weights, mean, variances, truth = _law(seed)
  encoder = networks.linear_encoder(SHAPE, latents=2)
  decoder = networks.linear_decoder(SHAPE, latents=2)
  to_codes, bias = _to_codes()
  scale, shift = np.ones(PIXELS), np.zeros(PIXELS)
  if standardisation is not None:
    shift, scale = (np.tile(values, PIXELS // SHAPE[-1]) for values in standardisation)
    to_codes, bias = to_codes * scale[:, None], bias + shift @ to_codes
  encoder.get_layer("mean").set_weights([to_codes, bias])
  encoder.get_layer("log_variance").set_weights([np.log(variances)])
  decoder.set_weights([weights / scale, (mean - shift) / scale])
  options = {"reduction": "sum", "standardisation": standardisation}
  return models.BetaVAE(encoder, decoder, loss, beta=BETA, **options), truth


def _check(found, truth):
  for name, value in truth.items():
    drawn = name == "stochastic_error"  # 4,000 squares of a normal: 2 % off
    assert found[name] == pytest.approx(value, rel=0.1 if drawn else 0.01, abs=3e-3)


@pytest.mark.parametrize(
  ("seed", "options"),
  [
    (0, {"loss": losses.MSE()}),
    (1, {"loss": losses.MSE(), "standardisation": DATA.standardisation()}),
    (2, {"loss": losses.Overlap(losses.MSE(), kernel=losses.box_kernel(1))}),
  ],
  ids=["plain", "standardised_and_confined", "overlap"],
)
def test_an_export_is_measured_before_clipping(options, seed, tmp_path):
  model, truth = _model(seed, **options)
  export.write_export(model, tmp_path / "export", data=DATA)
  result = evaluate(
    model=tmp_path / "export",
    measurements=protocols.THEORY,
    trusted=seed != 1,
    output_dir=tmp_path / "scores",
  )
  _check(result["scores"], truth)
  assert result["settings"]["misalignment"]["decoded"] == "means, not clipped"
  assert not any("clipped" in warning for warning in result["warnings"])
  # What is shown is clipped all the same.
  images = export.ExportedModel(tmp_path / "export").decode(np.zeros((1, 2)))
  assert images.min() >= 0 and images.max() <= 1


def test_scores_in_training_are_measured_before_clipping(tmp_path):
  model, truth = _model(2, losses.MSE())

  class Silent:
    def scores(self, step, scores):
      pass

  scoring = Scoring(protocols.THEORY, every=1)
  Scorer(model, DATA, scoring, tmp_path, Silent(), first_step=0).score(1)
  _check(json.loads((tmp_path / SCORES).read_text())["scores"], truth)


def _foreign(folder, seed, clip):
  """Somebody else's model of the same law, which may clip its images itself."""
  weights, mean, variances, truth = _law(seed)
  to_codes, bias = (np.float32(values) for values in _to_codes())

  def encode(x):
    means = tf.reshape(x, [-1, PIXELS]) @ to_codes + bias
    return {"mean": means, "log_variance": 0 * means + np.float32(np.log(variances))}

  def decode(z):
    images = tf.reshape(z @ np.float32(weights) + np.float32(mean), [-1, *SHAPE])
    return {"images": tf.clip_by_value(images, 0.0, 1.0) if clip else images}

  specs = {"encode": (encode, [None, *SHAPE]), "decode": (decode, [None, 2])}
  signatures = {
    name: tf.function(function).get_concrete_function(tf.TensorSpec(sizes))
    for name, (function, sizes) in specs.items()
  }
  tf.saved_model.save(tf.Module(), str(folder), signatures=signatures)
  return truth


def _score_foreign(folder, caplog):
  result = evaluate(
    model=folder,
    data=DATA,
    measurements=protocols.THEORY,
    trusted=True,
    output_dir=folder.with_name("scores"),
  )
  said = [w for w in result["warnings"] if "exactly 0 or 1" in w]
  assert all(warning in caplog.text for warning in said)
  return result, said


def test_a_foreign_model_that_does_not_clip_tells_the_truth(tmp_path, caplog):
  truth = _foreign(tmp_path / "theirs", 3, clip=False)
  result, said = _score_foreign(tmp_path / "theirs", caplog)
  _check(result["scores"], truth)
  assert said == []


def test_a_foreign_model_that_clips_is_warned_of(tmp_path, caplog):
  truth = _foreign(tmp_path / "theirs", 3, clip=True)
  result, said = _score_foreign(tmp_path / "theirs", caplog)
  found = result["scores"]
  assert len(said) == 1
  assert 0.2 < found["clipped_pixels"] < 0.4  # every other black pixel
  assert found["implied_beta"] < 0.9 * truth["implied_beta"]
  assert result["settings"]["misalignment"]["decoded"] == "images"
  assert "clipped" in (tmp_path / "scores" / "report.html").read_text()


def test_an_export_whose_loss_is_unknown_is_warned_of(tmp_path, caplog):
  class Own(losses.MSE):
    pass

  model, _ = _model(4, Own())
  export.write_export(model, tmp_path / "export", data=DATA)
  result, said = _score_foreign(tmp_path / "export", caplog)
  assert len(said) == 1 and result["scores"]["clipped_pixels"] > 0.2
