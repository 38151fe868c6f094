import keras
import numpy as np
import pytest
from model_checks import (
  IMAGES,
  SEED,
  check_defaults,
  check_terms,
  make_spread,
  posterior_of,
  reductions,
  squared_error,
)
from shared_checks import tiny_model, tiny_networks

from disentangle_tf import losses, models, networks
from disentangle_tf.errors import UserError


@reductions
def test_every_term_is_that_of_the_formula(reduction):
  model = make_spread(models.AE, reduction=reduction)
  means, _ = posterior_of(model, IMAGES)
  check_terms(model, {"reconstruction": squared_error(model, IMAGES, means)})


def test_defaults():
  check_defaults(
    models.AE, {"reduction": "mean", "standardisation": None, "supervision": None}
  )


def test_called_it_decodes_the_mean():
  model = tiny_model(models.VAE)
  expected = model.decode(model.encode(IMAGES).mean())
  np.testing.assert_allclose(model(IMAGES), expected, atol=1e-6)


def test_decoded_images_are_cut_to_0_and_1_and_points_are_not():
  model = tiny_model(models.VAE)
  for weight in model.decoder.weights:
    weight.assign(60 * np.asarray(weight))
  codes = np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32)
  mean, std = model.standardisation
  plain = np.asarray(model.decode(codes)) * std + mean
  assert plain.min() < -0.5 and plain.max() > 2
  expected = np.clip(plain, 0, 1)
  np.testing.assert_allclose(model.decode_images(codes), expected, atol=1e-4)
  points = models.AE(
    networks.mlp_encoder((2,), latents=3, units=(4,)),
    networks.mlp_decoder((2,), latents=3, units=(4,)),
    losses.MSE(),
  )
  np.testing.assert_array_equal(
    points.decode_images(9 * codes), points.decode(9 * codes)
  )
  assert np.abs(points.decode_images(9 * codes)).max() > 1


def test_images_stay_as_they_are_without_a_standardisation():
  loss = losses.Bernoulli()  # compares images in [0, 1], standardised input or not
  keras.utils.set_random_seed(0)
  model = models.AE(*tiny_networks(), loss, reduction="sum")
  means = np.asarray(model.encoder(IMAGES))[:, :3]
  np.testing.assert_allclose(model.encode(IMAGES).mean(), means, atol=1e-6)
  logits = np.asarray(model.decoder(means), np.float64)
  images = IMAGES.numpy()
  expected = np.logaddexp(0, logits) - images * logits
  found = float(model.loss_terms(IMAGES, SEED)["reconstruction"])
  assert found == pytest.approx(expected.sum(axis=(1, 2, 3)).mean(), rel=1e-5)


@pytest.mark.parametrize("values", [3, 6])
def test_an_autoencoder_takes_means_with_or_without_log_variances(values):
  images = keras.Input((8, 8, 2))
  outputs = keras.layers.Dense(values)(keras.layers.Flatten()(images))
  encoder = keras.Model(images, outputs)
  model = models.AE(encoder, tiny_networks()[1], losses.MSE())
  assert model.encode(IMAGES).mean().shape == (12, 3)
  with pytest.raises(UserError, match="gives 6 values per image.*must give 4 or 8"):
    models.AE(tiny_networks()[0], tiny_networks(latents=4)[1], losses.MSE())
