"""Small worlds and models, and the checks that every class of a kind must pass."""

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf import export, losses, models, networks
from disentangle_tf.data import (
  Batches,
  XYSquares,
  data_from_config,
  data_to_config,
)
from disentangle_tf.random_streams import stream_seed


def tiny_data(**options):
  """256 images of 8x8x2, adversarial."""
  settings = {"grid_spacing": 2, "num_squares": 2, "image_size": 8, "square_size": 2}
  return XYSquares(**{**settings, **options})


def tiny_networks(latents=3, units=(16,)):
  shape = tiny_data().observation_shape
  return (
    networks.mlp_encoder(shape, latents=latents, units=units),
    networks.mlp_decoder(shape, latents=latents, units=units),
  )


def tiny_model(beta=0.5, reconstruction=None, **options):
  keras.utils.set_random_seed(0)
  return models.BetaVAE(
    *tiny_networks(),
    reconstruction or losses.MSE(),
    beta=beta,
    standardisation=tiny_data().standardisation(),
    **options,
  )


def compiled(model, optimizer=None):
  model.compile(optimizer or keras.optimizers.Adam(1e-3))
  model.optimizer.build(model.trainable_variables)
  return model


def weights(model):
  return [np.asarray(value) for value in model.get_weights()]


def assert_same_weights(first, second, **tolerance):
  for a, b in zip(weights(first), weights(second), strict=True):
    np.testing.assert_allclose(a, b, **{"rtol": 0, "atol": 0, **tolerance})


def checkpointed(folder):
  """All that the newest checkpoint of a run holds, by name."""
  reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder / "checkpoints"))
  return {
    name: reader.get_tensor(name)
    for name in reader.get_variable_to_shape_map()
    if "OBJECT_GRAPH" not in name and "save_counter" not in name
  }


def assert_same_run(folder, other, **tolerance):
  """Both runs ended with the same weights, optimiser and step."""
  ours, theirs = checkpointed(folder), checkpointed(other)
  assert ours.keys() == theirs.keys()
  assert any("optimizer" in name for name in ours)
  for name in ours:
    np.testing.assert_allclose(
      ours[name], theirs[name], **{"rtol": 0, "atol": 0, **tolerance}
    )


def run_dataset_test(data, *, num_points=64):
  """What every GroundTruthData promises."""
  rng = np.random.default_rng(0)
  index = rng.integers(len(data), size=num_points)
  factors = data.factors.to_factors(index)
  np.testing.assert_array_equal(data.factors.to_index(factors), index)
  images = data.observe(factors)
  assert images.dtype == tf.float32
  assert images.shape == (num_points, *data.observation_shape)
  assert images.numpy().min() >= 0 and images.numpy().max() <= 1
  np.testing.assert_array_equal(images, tf.function(data.observe)(tf.constant(factors)))
  again = data_from_config(data_to_config(data))
  np.testing.assert_array_equal(images, again.observe(factors))
  first_factors, first_images = next(data.in_order(4))
  np.testing.assert_array_equal(first_factors, data.factors.to_factors(np.arange(4)))
  np.testing.assert_array_equal(first_images, data.observe(first_factors))


def run_model_test(make, data, tmp_path):
  """What every model promises: `make()` gives a new one with the same weights."""
  images = Batches(data, batch_size=16).make(0)
  seed = stream_seed(0, "test")
  model = compiled(make())

  terms = model.loss_terms(images, seed)
  logged = compiled(make()).train_step(images)
  assert set(logged) == {"loss", *terms}
  np.testing.assert_allclose(
    logged["loss"], sum(v for k, v in logged.items() if k != "loss"), rtol=1e-6
  )
  np.testing.assert_array_equal(
    list(terms.values()), list(model.loss_terms(images, seed).values())
  )

  again = type(model).from_config(model.get_config())
  again.set_weights(model.get_weights())
  np.testing.assert_allclose(
    list(terms.values()), list(again.loss_terms(images, seed).values()), rtol=1e-6
  )
  model.save(tmp_path / "model.keras")
  loaded = keras.models.load_model(tmp_path / "model.keras")
  np.testing.assert_array_equal(model(images), loaded(images))

  plain, by_xla = compiled(make()), compiled(make())
  plain.train_step(images)
  tf.function(by_xla.train_step, jit_compile=True)(images)
  assert_same_weights(plain, by_xla, atol=1e-5)

  history = model.fit(
    Batches(data, batch_size=64).dataset(0, 300), verbose=0, shuffle=False
  ).history
  assert history["loss"][0] < float(logged["loss"])
  run_export_test(model, data, tmp_path / "export")


def run_export_test(model, data, folder):
  """An export gives what the model gives."""
  export.write_export(model, folder, data=data)
  exported = export.ExportedModel(folder)
  images = Batches(data, batch_size=5).make(0)
  posterior = model.encode(images)
  mean, log_variance = exported.encode_distribution(images)
  np.testing.assert_allclose(mean, posterior.mean(), atol=1e-6)
  np.testing.assert_allclose(
    log_variance, 2 * np.log(posterior.stddev()), rtol=1e-5, atol=1e-5
  )
  np.testing.assert_allclose(
    exported.decode(mean), model.decode_images(mean), atol=1e-6
  )
  np.testing.assert_allclose(
    exported.reconstruct(images), model.reconstruct(images), atol=1e-6
  )
