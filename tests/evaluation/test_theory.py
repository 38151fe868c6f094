"""The theory's metrics on exported and foreign models: known answers.

The linear VAE's as in tests/models/test_linear_vae.py: with noise n = beta / 2 and
eigenvalues e of the data's covariance, columns have the squared length e - n and
posteriors the variance n / e; means regress the codes on the points.
"""

import keras
import numpy as np
import pytest
import tensorflow as tf
from metric_checks import check_is_scores
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import export, losses, models, networks
from disentangle_tf.data import Batches, Lattice, Spot
from disentangle_tf.evaluation import evaluate
from disentangle_tf.scoring import protocols

BETA = 0.1
NOISE = BETA / 2
DATA = Lattice(points_per_cluster=20)
POINTS = next(DATA.in_order(460))[1]
EIGENVALUES, DIRECTIONS = np.linalg.eigh(np.cov(POINTS.T, bias=True))
LENGTHS = EIGENVALUES - NOISE  # squared, of the columns


def _score(**options):
  return evaluate(
    measurements=protocols.THEORY, trusted=True, num_points="all", **options
  )


def _linear_vae(degrees=0):
  """The best one, its latents turned."""
  angle = np.deg2rad(degrees)
  turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
  columns = DIRECTIONS * np.sqrt(LENGTHS) @ turn
  weights = DIRECTIONS * (np.sqrt(LENGTHS) / EIGENVALUES) @ turn
  encoder = networks.linear_encoder((2,), latents=2)
  decoder = networks.linear_decoder((2,), latents=2)
  mean = POINTS.mean(axis=0)
  encoder.get_layer("mean").set_weights([weights, -mean @ weights])
  encoder.get_layer("log_variance").set_weights([np.log(NOISE / EIGENVALUES)])
  decoder.set_weights([columns.T, mean])
  return models.BetaVAE(encoder, decoder, losses.MSE(), beta=BETA, reduction="sum")


def test_a_linear_vae_keeps_every_law(tmp_path):
  export.write_export(_linear_vae(), tmp_path / "export", data=DATA)
  result = _score(model=tmp_path / "export", output_dir=tmp_path / "scores")
  variances = NOISE / EIGENVALUES
  left, noise = (NOISE**2 / EIGENVALUES).sum(), (variances * LENGTHS).sum()
  expected = {
    "active_latents_by_variance": 2,
    "sampled_error": left + noise,
    "deterministic_error": left,
    "stochastic_error": noise,
    "curvature_error": 0,
    "polarised_kl_error": variances.sum() / -np.log(variances).sum(),
    "posterior_law_correlation": 1,
    "implied_beta": BETA,
    "misalignment": 0,
    "singular_points": 0,
    "distance_to_orthogonality": 0,
    "column_cosine": 0,
    "orthogonality_latents": 2,
    "clipped_pixels": 0,
  }
  found = result["scores"]
  assert found.keys() == expected.keys() == result["directions"].keys()
  assert result["skipped"] == {}
  for name, value in expected.items():
    assert found[name] == pytest.approx(value, rel=0.05, abs=2e-3), name
  assert found["implied_beta"] == pytest.approx(BETA, rel=1e-3)
  assert result["settings"]["misalignment"]["jacobian_step"] == 0.01


def test_turned_latents_pay_the_price(tmp_path):
  export.write_export(_linear_vae(30), tmp_path / "export", data=DATA)
  found = _score(model=tmp_path / "export", output_dir=tmp_path / "scores")["scores"]
  first, second = LENGTHS
  excess = (first - second) ** 2 / (4 * first * second) * np.sin(np.pi / 3) ** 2
  assert found["misalignment"] == pytest.approx(0.5 * np.log1p(excess), rel=0.01)
  distance = 2 * np.sqrt(2) * np.sin(np.pi / 12)
  assert found["distance_to_orthogonality"] == pytest.approx(distance, rel=0.01)


def test_a_small_trained_model(tmp_path):
  data = Spot()
  keras.utils.set_random_seed(0)
  model = models.BetaVAE(
    networks.mlp_encoder((16, 16, 1), latents=3, units=(32,)),
    networks.mlp_decoder((16, 16, 1), latents=3, units=(32,)),
    losses.MSE(),
    beta=0.15,
    reduction="sum",
  )
  model.compile(keras.optimizers.Adam(1e-2))
  model.fit(Batches(data, batch_size=64).dataset(0, 300), shuffle=False, verbose=0)
  export.write_export(model, tmp_path / "export", data=data)
  result = _score(model=tmp_path / "export", output_dir=tmp_path / "scores", repeats=2)
  found = result["scores"]
  check_is_scores(found)
  assert result["skipped"] == {}
  assert found["orthogonality_latents"] == found["active_latents_by_variance"] >= 2
  assert found["posterior_law_correlation"] > 0.5
  assert found["implied_beta"] == pytest.approx(0.15, rel=0.5)
  assert 0 < found["stochastic_error"] < found["sampled_error"]


def test_a_model_without_active_latents(tmp_path):
  """Whose posteriors are as wide as the prior."""
  model = tiny_model()
  model.encoder.get_layer("log_variance").set_weights([np.zeros((16, 3)), np.zeros(3)])
  export.write_export(model, tmp_path / "export", data=tiny_data())
  result = _score(model=tmp_path / "export", output_dir=tmp_path / "scores")
  reason = "there is nothing to score: no latent is active"
  assert result["skipped"] == {"polarised_kl": reason, "posterior_law": reason}
  assert result["scores"]["misalignment"] == 0


def test_without_a_decoder_there_is_what_the_encoder_tells(tmp_path):
  model = models.PCL(tiny_networks()[0], latents=3)
  export.write_export(model, tmp_path / "export", data=tiny_data())
  result = _score(model=tmp_path / "export", output_dir=tmp_path / "scores")
  assert result["scores"]["active_latents_by_variance"] == 3
  assert set(result["skipped"].values()) == {"the model has no decoder"}
  assert len(result["skipped"]) == 5


class _Foreign(tf.Module):
  """Two latents that move one half of the image each; nothing of ours."""

  @tf.function(input_signature=[tf.TensorSpec([None, 8, 8, 2], name="x")])
  def encode(self, x):
    mean = tf.reduce_mean(x, [1, 2])
    return {"mean": mean, "log_variance": 0 * mean + tf.constant([-3.0, -4.0])}

  @tf.function(input_signature=[tf.TensorSpec([None, 2], name="z")])
  def decode(self, z):
    image = tf.repeat(0.5 + z * tf.constant([0.1, 0.2]), 64, axis=1)
    return {"images": tf.reshape(image, [-1, 8, 8, 2])}


@pytest.mark.parametrize("trusted", [True, False], ids=["here", "confined"])
def test_a_foreign_model(trusted, tmp_path):
  module = _Foreign()
  signatures = {"encode": module.encode, "decode": module.decode}
  tf.saved_model.save(module, str(tmp_path / "foreign"), signatures=signatures)
  result = evaluate(
    model=tmp_path / "foreign",
    data=tiny_data(),
    measurements=protocols.THEORY,
    num_points=201,
    output_dir=tmp_path / "scores",
    trusted=trusted,
  )
  found = result["scores"]
  # Columns of squared lengths 0.64 and 2.56, variances e^-3 and e^-4.
  ratios = 2 * np.array([0.64, 2.56]) / np.expm1([3.0, 4.0])
  assert found["implied_beta"] == pytest.approx(np.median(ratios), rel=0.01)
  assert found["column_cosine"] == pytest.approx(0, abs=1e-3)
  assert found["stochastic_error"] == pytest.approx(
    0.64 * np.exp(-3) + 2.56 * np.exp(-4), rel=0.1
  )
  assert found["curvature_error"] == pytest.approx(0, abs=1e-4)
