"""Two replicas learn as one with the whole batch: every model, clipped, compiled."""

import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from family import BATCHES, FAMILY
from shared_checks import assert_same_weights, compiled, tiny_data, tiny_model

from disentangle_tf import models, supervision
from disentangle_tf.data import Batches, LabelledSet, partial_labels
from disentangle_tf.training.loop import StepRunner

FEW = LabelledSet(
  tiny_data(),
  num_labelled=30,
  labeller=functools.partial(partial_labels, num_observed_factors=3),
)


def _supervised(loss):
  return tiny_model(models.VAE, supervision=loss(2.0, FEW.factor_sizes))


ALL = {
  **FAMILY,
  "supervised_by_l2": functools.partial(_supervised, supervision.L2),
  "supervised_by_covariance": functools.partial(_supervised, supervision.Covariance),
}
EXCHANGE = {
  "annealed_vae",
  "beta_tcvae",
  "beta_tcvae_stratified",
  "dip_vae_i",
  "dip_vae_ii",
  "inclusive_kl",
  "mmd",
  "pcl",
  "supervised_by_covariance",
}
CLIPPING = [{}, {"clipnorm": 0.02}, {"global_clipnorm": 0.05}, {"clipvalue": 2e-3}]


def _run(name, strategy, *, steps=3, jit_compile=False, **settings):
  """({term: values}, model) after some steps of gradient descent."""
  with strategy.scope():
    optimizer = keras.optimizers.SGD(0.03, **settings)
    model = compiled(ALL[name](), optimizer)
    if name == "factor_vae":
      own = keras.optimizers.SGD(0.03, **settings)
      own.build(model.discriminator.trainable_variables)
      model.discriminator_optimizer = own
  labelled = {"labelled_set": FEW} if name.startswith("supervised") else {}
  batches = Batches(
    tiny_data(),
    batch_size=16,
    seed=5,
    num_replicas=strategy.num_replicas_in_sync,
    **BATCHES.get(name, {}),
    **labelled,
  )
  runner = StepRunner(
    model,
    batches,
    strategy=strategy,
    jit_compile=jit_compile,
    first_step=0,
    last_step=steps,
  )
  return runner.run(0, steps), model


def _assert_alike(name, two_replicas, *, jit_compile=False, **settings):
  expected, one = _run(name, tf.distribute.get_strategy(), **settings)
  terms, two = _run(name, two_replicas, jit_compile=jit_compile, **settings)
  assert terms.keys() == expected.keys()
  for term, values in expected.items():
    np.testing.assert_allclose(terms[term], values, rtol=1e-5, atol=1e-6)
  assert_same_weights(one, two, atol=1e-5)
  return one


def _some_fast(*fast):
  """All models, those that are not named here only with the slow tests."""
  return [
    name if name in fast else pytest.param(name, marks=pytest.mark.slow) for name in ALL
  ]


@pytest.mark.parametrize(
  "name",
  _some_fast("factor_vae", "dip_vae_ii", "mmd", "pcl", "supervised_by_covariance"),
)
def test_two_replicas_learn_as_one(name, two_replicas):
  _assert_alike(name, two_replicas)


@pytest.mark.parametrize("clipping", CLIPPING[1:], ids=lambda each: next(iter(each)))
@pytest.mark.parametrize("name", _some_fast("vae"))
def test_gradients_are_clipped_when_they_are_summed(name, clipping, two_replicas):
  clipped = _assert_alike(name, two_replicas, **clipping)
  _, free = _run(name, tf.distribute.get_strategy())
  with pytest.raises(AssertionError):  # or the limit would not have been reached
    assert_same_weights(clipped, free, atol=1e-4)


@pytest.mark.parametrize("name", _some_fast("factor_vae", "dip_vae_i"))
def test_xla_compiles_what_replicas_do_not_exchange(name, two_replicas, caplog):
  caplog.set_level("INFO", "disentangle_tf")
  _assert_alike(name, two_replicas, jit_compile=True)
  told = "XLA does not compile" in caplog.text
  assert told == (name in EXCHANGE)
