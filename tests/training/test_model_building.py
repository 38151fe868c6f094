import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models, networks, supervision
from disentangle_tf.errors import UserError
from disentangle_tf.training import devices
from disentangle_tf.training.model_building import (
  build_model,
  check_optimizer,
  report_partial_statistics,
  uses_xla,
  what_xla_cannot_compile,
)

BAD = [
  ({"beta_1": "a"}, "Adam does not accept its settings"),
  ({"epsilon": "a"}, "Adam does not accept its settings"),
  ({"loss_scale_factor": "a"}, "Adam does not accept its settings"),
  ({"learning_rate": dict}, "Adam does not accept its settings"),
  ({"learning_rate": float("inf")}, "Adam makes weights that are not finite"),
  ({"amsgrad": "no"}, "Adam.amsgrad is 'no': it must be True or False"),
  ({"use_ema": 1}, "Adam.use_ema is 1"),
  ({"clipnorm": "a"}, "Adam.clipnorm is 'a'"),
  ({"gradient_accumulation_steps": 2.5}, "Adam.gradient_accumulation_steps is 2.5"),
]


@pytest.mark.parametrize(("bad", "words"), BAD)
def test_what_keras_would_notice_late_is_told(bad, words):
  with pytest.raises(UserError, match=words):
    check_optimizer(keras.optimizers.Adam(**bad))


@pytest.mark.parametrize(
  "settings",
  [{"gradient_accumulation_steps": 2}, {"use_ema": True, "ema_overwrite_frequency": 3}],
)
@pytest.mark.parametrize("scaled", [False, True])
def test_what_replicas_cannot_do_together_is_told(settings, scaled):
  optimizer = keras.optimizers.SGD(0.1, **settings)
  *_, (name, value) = settings.items()
  if scaled:
    optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
  with pytest.raises(
    UserError, match=f"^SGD.{name} is {value}: several replicas cannot"
  ):
    check_optimizer(optimizer, num_replicas=2)
  check_optimizer(optimizer)


@pytest.mark.parametrize(
  "optimizer",
  [
    keras.optimizers.Adam(
      keras.optimizers.schedules.CosineDecay(0.1, 10), weight_decay=0.1, use_ema=True
    ),
    keras.optimizers.SGD(0.1, momentum=0.9, gradient_accumulation_steps=2),
    keras.optimizers.LossScaleOptimizer(keras.optimizers.RMSprop(clipnorm=1.0)),
  ],
)
def test_what_is_sound_passes(optimizer):
  check_optimizer(optimizer)


def _normalised(**options):
  images = keras.Input((8, 8, 2))
  features = keras.layers.Dense(6)(keras.layers.Flatten()(images))
  codes = keras.layers.BatchNormalization(name="norm", **options)(features)
  inner = keras.Model(images, codes)
  outer = keras.Model(images, inner(images))
  return models.VAE(outer, tiny_networks()[1], losses.MSE())


@pytest.mark.parametrize(
  ("make", "told"),
  [
    (lambda: tiny_model(models.VAE), None),
    (lambda: _normalised(), None),
    (lambda: tiny_model(models.AnnealedVAE, c_max=1.0, per_image=True), None),
    (lambda: tiny_model(models.AnnealedVAE, c_max=1.0), "AnnealedVAE"),
    (lambda: tiny_model(models.BetaTCVAE, beta=2.0), "BetaTCVAE"),
    (
      lambda: tiny_model(supervision=supervision.Covariance(1.0, (4, 4))),
      "Covariance",
    ),
    (lambda: tiny_model(supervision=supervision.L2(1.0, (4, 4))), None),
    (lambda: _normalised(synchronized=True), "the synchronised layer norm"),
  ],
)
def test_what_exchanges_values_is_not_compiled(make, told):
  found = what_xla_cannot_compile(make())
  assert found is None if told is None else found.startswith(told)


def test_layers_with_statistics_of_a_part_are_named(caplog):
  report_partial_statistics(tiny_model())
  report_partial_statistics(_normalised(synchronized=True))
  assert caplog.messages == []
  report_partial_statistics(_normalised())
  (line,) = caplog.messages
  assert line.startswith("Computing.strategy: the layer norm normalises")
  assert "synchronized=True" in line


ADAM = functools.partial(keras.optimizers.Adam, 1e-3)


def _untouched():
  """A model whose weights follow from the seed in force."""
  return models.VAE(*tiny_networks(), losses.MSE())


def _build(model=_untouched, optimizer=ADAM, *, strategy=None, seed=0):
  strategy = strategy or tf.distribute.get_strategy()
  return build_model(model, optimizer, strategy=strategy, seed=seed)


def test_weights_follow_from_the_seed():
  first, again, other = (_build(seed=seed).get_weights() for seed in (3, 3, 4))
  for a, b in zip(first, again, strict=True):
    np.testing.assert_array_equal(a, b)
  assert any(np.abs(a - b).max() > 0.01 for a, b in zip(first, other, strict=True))


def test_is_compiled_and_its_optimiser_is_built_and_fresh():
  built = _build(seed=5)
  assert built.seed == 5 and built.optimizer.built
  assert int(built.optimizer.iterations) == 0
  moments = built.optimizer.variables[2:]  # after iterations and learning rate
  assert len(moments) == 2 * len(built.trainable_variables)
  assert not any(np.any(moment.numpy()) for moment in moments)


def test_weights_are_on_all_replicas(two_replicas):
  built = _build(strategy=two_replicas)
  value = built.trainable_variables[0].value
  assert len(two_replicas.experimental_local_results(value)) == 2


@pytest.mark.parametrize(
  ("options", "message"),
  [
    ({"model": tiny_model()}, "train.model is a BetaVAE: .* such as models.BetaVAE"),
    (
      {"model": "vae"},
      "train.model is 'vae': it must be a class or function that makes the model",
    ),
    ({"model": dict}, "train.model is {}: it must be a Model such as"),
    ({"optimizer": keras.optimizers.Adam()}, "train.optimizer is .* without paren"),
    ({"optimizer": 0.001}, "train.optimizer is 0.001: it must be a class or"),
    ({"optimizer": list}, r"train.optimizer is \[\]: it must be a"),
    (
      {"optimizer": functools.partial(keras.optimizers.Adam, clipnorm="a")},
      "Adam.clipnorm is 'a'",
    ),
  ],
)
def test_what_makes_nothing_useful_is_refused(options, message):
  with pytest.raises(UserError, match=message):
    _build(**options)


def _with_discriminator(**settings):
  return tiny_model(
    models.FactorVAE,
    gamma=2.0,
    discriminator=networks.mlp_discriminator(3, units=(4,)),
    discriminator_optimizer=keras.optimizers.Adam(**settings),
  )


def test_a_discriminators_optimiser_is_tried_too():
  with pytest.raises(UserError, match="Adam.clipnorm is 'a'"):
    _build(functools.partial(_with_discriminator, clipnorm="a"))


def test_gradients_are_accumulated_on_one_replica(two_replicas):
  settings = {"gradient_accumulation_steps": 2}
  accumulating = functools.partial(ADAM, **settings)
  discriminating = functools.partial(_with_discriminator, **settings)
  for model, optimizer in ((_untouched, accumulating), (discriminating, ADAM)):
    _build(model, optimizer)
    with pytest.raises(UserError, match="Adam.gradient_accumulation_steps is 2"):
      _build(model, optimizer, strategy=two_replicas)


def _conv_model():
  shape = tiny_data().observation_shape
  return models.VAE(
    networks.mlp_encoder(shape, latents=3),
    networks.spatial_broadcast_decoder(shape, latents=3, filters=(4,)),
    losses.MSE(),
  )


@pytest.mark.parametrize(
  ("make_models", "steps", "asked", "precision", "expected"),
  [
    ([tiny_model], 1_000, None, "float32", True),
    ([tiny_model], 999, None, "float32", False),
    ([_conv_model], 1_000, None, "float32", False),
    ([tiny_model, _conv_model], 1_000, None, "float32", False),
    ([_conv_model], 1_000, True, "float32", True),
    ([tiny_model], 1_000, False, "float32", False),
    ([tiny_model], 1_000, None, "mixed_bfloat16", False),
  ],
)
def test_xla_compiles_dense_networks_on_a_cpu(
  make_models, steps, asked, precision, expected, caplog
):
  if devices.on_gpu():
    pytest.skip("a GPU always compiles")
  made, strategy = [make() for make in make_models], tf.distribute.get_strategy()
  with caplog.at_level("INFO"):
    found = uses_xla(asked, made, strategy, steps, whose="mine", precision=precision)
  assert found == expected
  assert ("mine.jit_compile = False" in caplog.text) == (expected and asked is None)


def test_xla_is_not_chosen_for_several_replicas(two_replicas):
  assert not uses_xla(None, [tiny_model()], two_replicas, 1_000, whose="mine")
