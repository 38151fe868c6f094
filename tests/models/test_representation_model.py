"""The one training step, and what is left of a model when it is saved."""

import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from model_checks import check_terms, make_spread, posterior_of, vae_terms
from shared_checks import (
  assert_same_weights,
  compiled,
  tiny_data,
  tiny_model,
  tiny_networks,
)

from disentangle_tf import losses, models, priors, schedules, supervision
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

IMAGES = Batches(tiny_data(), batch_size=16).make(0)
SEED = stream_seed(0, "test")


def _descending(cls=models.AE, **options):
  return compiled(tiny_model(cls, **options), keras.optimizers.SGD(0.5))


def test_replicas_descend_by_the_mean_of_their_losses(two_replicas):
  one = _descending()
  before = np.asarray(one.decoder.weights[0])
  one.train_step(IMAGES)
  assert np.abs(one.decoder.weights[0] - before).max() > 1e-3
  with two_replicas.scope():
    two = _descending()
  tf.function(lambda: two_replicas.run(two.train_step, args=(IMAGES,)))()
  assert_same_weights(one, two, atol=1e-6)


def test_replicas_draw_their_own_noise(two_replicas):
  with two_replicas.scope():
    model = _descending(models.VAE)
  for step in (model.train_step, model.test_step):
    logs = tf.function(lambda step=step: two_replicas.run(step, args=(IMAGES,)))()
    first, second = two_replicas.experimental_local_results(logs["reconstruction"])
    assert float(first) != float(second)


def test_the_step_is_the_optimisers_and_0_without_one():
  model = tiny_model(beta=schedules.Linear(2.0, 4.0, steps=10))
  assert model.step == 0
  assert float(model.now(model.beta)) == 2.0
  compiled(model).optimizer.iterations.assign(5)
  assert int(model.step) == 5
  assert float(model.now(model.beta)) == 3.0
  assert model.now(7.0) == 7.0


@pytest.mark.parametrize("scaled", [False, True])
def test_a_step_is_a_batch_even_if_gradients_are_accumulated(scaled):
  optimizer = keras.optimizers.SGD(0.1, gradient_accumulation_steps=2)
  if scaled:
    optimizer = keras.optimizers.LossScaleOptimizer(optimizer, initial_scale=1.0)
  model = compiled(tiny_model(), optimizer)
  for step in range(3):
    assert int(model.step) == step
    model.train_step(IMAGES)


def test_noise_of_a_step_follows_from_the_runs_seed_and_the_step():
  model = compiled(tiny_model(models.VAE, reduction="sum"))
  model.seed = 4
  for step in range(2):
    expected = model.loss_terms(IMAGES, stream_seed(4, "latents", step))
    logs = model.train_step(IMAGES)
    assert float(logs["kl"]) == pytest.approx(float(expected["kl"]), rel=1e-5)
    assert float(logs["reconstruction"]) == pytest.approx(
      float(expected["reconstruction"]), rel=1e-5
    )
  expected = model.loss_terms(IMAGES, stream_seed(4, "test"))
  tested = model.test_step(IMAGES)
  assert float(tested["reconstruction"]) == pytest.approx(
    float(expected["reconstruction"]), rel=1e-5
  )


def test_training_reaches_the_networks_and_testing_does_not():
  images = keras.Input((8, 8, 2))
  features = keras.layers.Flatten()(images)
  features = keras.layers.BatchNormalization(name="norm")(features)
  encoder = keras.Model(images, keras.layers.Dense(6)(features))
  codes = keras.Input((3,))
  features = keras.layers.BatchNormalization(name="norm")(codes)
  pixels = keras.layers.Dense(128)(features)
  decoder = keras.Model(codes, keras.layers.Reshape((8, 8, 2))(pixels))
  model = compiled(models.VAE(encoder, decoder, losses.MSE()))
  moving = [part.get_layer("norm").moving_mean for part in (encoder, decoder)]
  model.test_step(IMAGES)
  model.reconstruct(IMAGES)
  model.loss_terms(IMAGES, SEED)
  model(IMAGES)
  for average in moving:
    assert not np.any(average)
  for learn in (model.train_step, functools.partial(model, training=True)):
    before = [np.asarray(average) for average in moving]
    learn(IMAGES)
    for average, old in zip(moving, before, strict=True):
      assert np.abs(average - old).max() > 0


@pytest.mark.parametrize(
  ("batch", "message"),
  [
    (IMAGES, "but the batches have no labels"),
    ((IMAGES, IMAGES), "but the batches have no labels"),
    ((IMAGES, (IMAGES, np.zeros((16, 3)))), "labelled images have 3 labels"),
    (
      ((IMAGES, IMAGES), (IMAGES, np.zeros((16, 2)))),
      "learns from single images, not from 2",
    ),
  ],
)
def test_batches_of_a_supervised_model(batch, message):
  model = tiny_model(models.VAE, supervision=supervision.L2(1.0, (4, 4)))
  model.check_batch((IMAGES, (IMAGES, np.zeros((16, 2)))))
  with pytest.raises(UserError, match=message):
    model.check_batch(batch)


def test_what_a_loss_learns_is_the_models_own():
  model = tiny_model(models.VAE, losses.Normal(scale=0.5))
  (scale,) = model.reconstruction.variables
  assert any(variable is scale for variable in model.trainable_variables)
  saved = type(model).from_config(model.get_config())
  assert saved.reconstruction.scale == 0.5
  assert saved.reduction == model.reduction
  assert len(saved.weights) == len(model.weights)


def test_a_model_needs_no_call_to_be_built():
  model = tiny_model(models.VAE)
  assert model.built
  assert model.count_params() == sum(np.size(w) for w in model.get_weights())


def test_what_a_supervised_loss_learns_is_the_models():
  loss = supervision.Embedding(1.0, [4, 3])
  assert loss.variables
  model = tiny_model(supervision=loss)
  held = {id(variable) for variable in model.trainable_variables}
  assert all(id(variable) in held for variable in loss.variables)


def test_keras_own_export_is_written(tmp_path):
  model = tiny_model()
  model.export(tmp_path / "export", verbose=False)
  loaded = tf.saved_model.load(str(tmp_path / "export"))
  np.testing.assert_allclose(loaded.serve(IMAGES), model(IMAGES), atol=1e-5)


def test_encoding_is_not_training_unless_it_is_said():
  images = keras.Input((8, 8, 2))
  features = keras.layers.BatchNormalization(name="norm")(images)
  codes = keras.layers.Dense(3)(keras.layers.Flatten()(features))
  model = models.PCL(keras.Model(images, codes), latents=3)
  moving = model.encoder.get_layer("norm").moving_mean
  model.encode(IMAGES)
  assert not np.any(moving)
  model.encode(IMAGES, training=True)
  assert np.any(moving)


def test_a_label_of_a_pair_is_not_encoded():
  model = tiny_model(models.VAE)
  second = 1 - IMAGES
  pair = model.encode_pair((IMAGES, second, tf.zeros([16, 4])), False)
  for images, posterior in zip((IMAGES, second), pair, strict=True):
    expected = model.encode(images).mean()
    np.testing.assert_allclose(posterior.mean(), expected, atol=1e-6)


@pytest.mark.parametrize("called_before", [False, True])
@pytest.mark.parametrize("cls", [models.AE, models.BetaVAE, models.PCL])
def test_keras_exports_our_models_itself(cls, called_before, tmp_path):
  images = Batches(tiny_data(), batch_size=5).make(0)
  if cls is models.PCL:
    model = models.PCL(tiny_networks()[0], latents=3)
  else:
    model = tiny_model(cls)
  if called_before:
    model(images)
  model.export(tmp_path / "theirs", verbose=False)
  loaded = tf.saved_model.load(str(tmp_path / "theirs"))
  np.testing.assert_allclose(loaded.serve(images), model(images), atol=1e-5)


def test_supervision_adds_its_weighted_loss():
  labelled = Batches(tiny_data(), batch_size=5).make(1)
  labels = np.random.default_rng(0).integers(4, size=(5, 2))
  model = make_spread(
    models.VAE,
    supervision=supervision.L2(3.0, (4, 4)),
    reduction="sum",
  )
  codes, _ = posterior_of(model, labelled)
  error = ((codes[:, :2] - labels) ** 2).mean(axis=0).sum()
  expected = {**vae_terms(model, IMAGES)[0], "supervised": 3.0 * error}
  check_terms(model, expected, (IMAGES, (labelled, labels)))


def test_a_step_of_training_is_one_of_plain_gradient_descent():
  """The weights move by the gradient of the sum of the terms, and by nothing else."""
  model = make_spread(models.BetaTCVAE, beta=3.0)
  model.compile(keras.optimizers.SGD(0.1))
  seed = stream_seed(model.seed, "latents", 0)
  with tf.GradientTape() as tape:
    loss = tf.add_n(list(model.loss_terms(IMAGES, seed, training=True).values()))
  before = [np.asarray(v) for v in model.trainable_variables]
  slopes = tape.gradient(loss, model.trainable_variables)
  logs = model.train_step(IMAGES)
  assert float(logs["loss"]) == pytest.approx(float(loss), rel=1e-5)
  for old, new, slope in zip(before, model.trainable_variables, slopes, strict=True):
    np.testing.assert_allclose(new, old - 0.1 * slope, atol=1e-5)


def _by_class_alone(model, role, part):
  """Names what parts hold by their class, as earlier versions did."""
  for place, variable in enumerate(() if part is None else part.variables):
    setattr(model, f"_{type(part).__name__}_{place}", variable)


def _checkpoint_round_trip(write, read, folder):
  """What was learned is read into another model."""
  held = [*write.prior.variables, *write.reconstruction.variables]
  for value, variable in enumerate(held):
    variable.assign(tf.ones_like(variable) * (value + 2.0))
  path = tf.train.Checkpoint(model=write).write(str(folder / "checkpoint"))
  tf.train.Checkpoint(model=read).read(path).assert_consumed()
  found = [*read.prior.variables, *read.reconstruction.variables]
  assert len(found) == 2
  for value, variable in enumerate(found):
    np.testing.assert_array_equal(variable, np.full(variable.shape, value + 2.0))


def _with_learned_parts(prior_class=priors.AnisotropicNormal):
  prior = prior_class([3.0, 2.0, 1.0], learned=True)
  return compiled(tiny_model(models.VAE, losses.Normal(), prior=prior))


def test_parts_whose_classes_share_a_name_are_all_kept(tmp_path):
  class Normal(priors.AnisotropicNormal):
    """A prior that is called as the reconstruction loss is."""

  models_of_both = [_with_learned_parts(Normal) for _ in range(2)]
  _checkpoint_round_trip(*models_of_both, tmp_path)


def test_checkpoints_that_name_parts_by_their_class_are_read(tmp_path, monkeypatch):
  with monkeypatch.context() as patch:
    patch.setattr(models.VAE, "_track_variables_of", _by_class_alone)
    earlier = _with_learned_parts()
  _checkpoint_round_trip(earlier, _with_learned_parts(), tmp_path)
