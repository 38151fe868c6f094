import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_model, tiny_networks

from disentangle_tf import losses, models, networks
from disentangle_tf.errors import UserError
from disentangle_tf.training.build_model import build_model

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
