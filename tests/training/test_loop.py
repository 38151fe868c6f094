"""What the loop does at which step, with a run that only counts."""

import contextlib

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import assert_same_weights, compiled, tiny_data, tiny_model

from disentangle_tf.data import Batches, XYSquares, data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed
from disentangle_tf.training import Saving, Watching
from disentangle_tf.training.loop import StepRunner, _affordable, loop

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


class Recorder:
  """Stands for the step runner, the monitor, the checkpoints and the scorer."""

  periods = (7,)

  def __init__(self, bad_step=None):
    self.calls, self.logged, self.drawn, self.saved = [], {}, [], []
    self.scored = []
    self._bad_step = bad_step

  def run(self, first_step, count):
    """The loss of step i (from 1) is i, half of it each term's."""
    self.calls.append((first_step, count))
    losses = np.arange(first_step + 1, first_step + count + 1, dtype=float)
    kl = np.where(losses == self._bad_step, np.nan, losses / 2)
    return {"loss": losses, "reconstruction": losses / 2, "kl": kl}

  def scalars(self, step, terms, images_per_second):
    assert images_per_second > 0
    self.logged[step] = terms

  def pictures(self, step):
    self.drawn.append(step)

  def score(self, step):
    self.scored.append((step, len(self.saved)))

  def save(self, step):
    self.saved.append(step)

  @property
  def latest_step(self):
    return self.saved[-1] if self.saved else None


class Asked:
  """An `Interruption` that receives a signal after a number of steps."""

  def __init__(self, recorder, after=np.inf):
    self._recorder, self._after = recorder, after
    self.was_noted = self.was_requested = False

  @property
  def requested(self):
    return sum(count for _, count in self._recorder.calls) >= self._after

  def request(self):
    self.was_requested = True

  @contextlib.contextmanager
  def noted(self):
    self.was_noted = True
    yield


def _loop(recorder, *, first_step=0, last_step=12, after=np.inf, **options):
  asked = Asked(recorder, after)
  loop(
    recorder.run,
    recorder,
    recorder,
    recorder,
    asked,
    first_step=first_step,
    last_step=last_step,
    batch_size=16,
    watching=Watching(log_every=5, pictures_every=4),
    saving=Saving(checkpoint_every=6),
    **options,
  )
  return asked


def test_what_is_due_comes_every_so_many_steps_and_at_the_end():
  recorder = Recorder()
  assert _loop(recorder).was_noted
  assert list(recorder.logged) == [5, 10, 12]
  assert recorder.drawn == [4, 8, 12]
  assert recorder.saved == [6, 12]


def test_every_step_is_taken_once_and_no_call_passes_what_is_due():
  recorder = Recorder()
  _loop(recorder)
  taken = [first + i for first, count in recorder.calls for i in range(count)]
  assert taken == list(range(12))
  ends = {first + count for first, count in recorder.calls}
  assert ends >= {4, 5, 6, 7, 8, 10, 12}


def test_scores_are_offered_at_every_stop_and_before_its_checkpoint():
  recorder = Recorder()
  _loop(recorder)
  steps = dict(recorder.scored)
  assert steps.keys() >= {4, 5, 6, 7, 8, 10, 12}
  assert steps[6] == 0 and steps[7] == 1 and steps[12] == 1


def test_the_log_has_means_since_the_last_entry():
  recorder = Recorder()
  _loop(recorder)
  means = [terms["loss"] for terms in recorder.logged.values()]
  assert means == [np.mean([1, 2, 3, 4, 5]), np.mean([6, 7, 8, 9, 10]), 11.5]
  assert recorder.logged[12] == {"loss": 11.5, "reconstruction": 5.75, "kl": 5.75}


def test_a_resumed_run_does_the_rest():
  recorder = Recorder()
  _loop(recorder, first_step=7)
  assert recorder.calls[0][0] == 7
  assert list(recorder.logged) == [10, 12] and recorder.saved == [12]


def test_a_request_to_stop_is_a_checkpoint_and_an_interrupt(caplog):
  caplog.set_level("INFO", "disentangle_tf")
  recorder = Recorder()
  with pytest.raises(KeyboardInterrupt):
    _loop(recorder, after=7)
  stopped = sum(count for _, count in recorder.calls)
  assert 7 <= stopped < 12 and recorder.saved[-1] == stopped
  assert f"stopped after step {stopped}; resume=True" in caplog.text


def test_what_the_workers_agree_on_is_done():
  """The chief's counts are taken, and a stop that another worker asked for."""
  recorder, asked = Recorder(), []

  def agree(stop, count):
    asked.append((stop, count))
    return len(asked) > 3, 1

  with pytest.raises(KeyboardInterrupt):
    _loop(recorder, agree=agree)
  assert recorder.calls == [(0, 1), (1, 1), (2, 1)] and recorder.saved == [3]
  assert not any(stop for stop, _ in asked)


def test_a_request_after_the_last_step_stops_nothing():
  recorder = Recorder()
  _loop(recorder, after=12)
  assert recorder.saved == [6, 12]


@pytest.mark.parametrize(
  ("bad_step", "kept"),
  [(8, "the checkpoint of step 6 is intact"), (3, "no checkpoint")],
)
def test_a_loss_that_is_not_finite_is_not_saved(bad_step, kept):
  recorder = Recorder(bad_step)
  with pytest.raises(UserError, match=f"'kl' is nan at step {bad_step}; {kept}.*lower"):
    _loop(recorder)
  assert all(step < bad_step for step in recorder.saved)


def test_calls_become_as_long_as_a_second_allows():
  assert _affordable(4, seconds=0.5) == 8
  assert _affordable(4, seconds=8.0) == 1
