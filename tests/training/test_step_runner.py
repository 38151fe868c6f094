import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import assert_same_weights, compiled, tiny_data, tiny_model

from disentangle_tf.data import Batches, XYSquares, data_to_config
from disentangle_tf.random_streams import stream_seed
from disentangle_tf.training.step_runner import StepRunner

RATE = 0.1


class HostData(XYSquares):
  """The same images, through the host's pipeline."""

  renders_on_device = False


def _runner(data_class, strategy=None, *, steps=6):
  strategy = strategy or tf.distribute.get_strategy()
  with strategy.scope():
    model = compiled(tiny_model(), keras.optimizers.SGD(RATE))
  data = data_class(**data_to_config(tiny_data())["arguments"])
  runner = StepRunner(
    model,
    Batches(data, batch_size=16, num_replicas=strategy.num_replicas_in_sync),
    strategy=strategy,
    jit_compile=False,
    first_step=0,
    last_step=steps,
  )
  return runner, model


def _expected_first_step():
  """(loss, model) after the gradient of the whole batch's loss, by hand."""
  model = tiny_model()
  batch = Batches(tiny_data(), batch_size=16).make(0)
  with tf.GradientTape() as tape:
    terms = model.loss_terms(batch, stream_seed(0, "latents", 0))
    loss = tf.add_n(list(terms.values()))
  variables = model.trainable_variables
  for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
    variable.assign_sub(RATE * gradient)
  return float(loss), model


@pytest.mark.parametrize("data_class", [XYSquares, HostData])
def test_a_step_on_one_device(data_class):
  runner, model = _runner(data_class)
  loss, expected = _expected_first_step()
  assert runner.run(0, 1)["loss"] == pytest.approx(loss, rel=1e-5)
  assert_same_weights(model, expected, atol=1e-6)


@pytest.mark.parametrize("data_class", [XYSquares, HostData])
def test_a_step_on_two_replicas_is_that_of_the_whole_batch(data_class, two_replicas):
  runner, model = _runner(data_class, two_replicas)
  loss, expected = _expected_first_step()
  assert runner.run(0, 1)["loss"] == pytest.approx(loss, rel=1e-5)
  assert_same_weights(model, expected, atol=1e-6)


@pytest.mark.parametrize("data_class", [XYSquares, HostData])
def test_steps_per_call_change_nothing(data_class):
  one_by_one, first = _runner(data_class)
  together, second = _runner(data_class)
  losses = [one_by_one.run(step, 1)["loss"] for step in range(6)]
  by_call = [together.run(0, 4)["loss"], together.run(4, 2)["loss"]]
  np.testing.assert_allclose(np.concatenate(losses), np.concatenate(by_call), rtol=1e-6)
  assert_same_weights(first, second, atol=1e-6)


def test_terms_sum_to_the_loss_at_every_step():
  terms = _runner(XYSquares)[0].run(0, 5)
  parts = sum(values for name, values in terms.items() if name != "loss")
  np.testing.assert_allclose(terms["loss"], parts, rtol=1e-6)
  assert terms["loss"].shape == (5,)
