"""What a session leaves in a run's folder, and what it resumes."""

import contextlib
import os
import signal

import keras
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_model

from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.training import RunDescription, Saving, Watching
from disentangle_tf.training.interruption import Interruption
from disentangle_tf.training.session import open_session
from disentangle_tf.training.workers import Workers


@pytest.fixture(params=[signal.SIGINT, signal.SIGTERM])
def number(request):
  before = signal.getsignal(request.param)
  yield request.param
  assert signal.getsignal(request.param) is before


def test_a_noted_signal_is_a_request(number):
  with Interruption().watch() as interruption:
    with interruption.noted():
      assert not interruption.requested
      os.kill(os.getpid(), number)
      assert interruption.requested
      os.kill(os.getpid(), number)  # impatience changes nothing
    os.kill(os.getpid(), number)  # nor does it while leaving the block


def test_elsewhere_the_first_signal_interrupts(number):
  with Interruption().watch() as interruption:
    with pytest.raises(KeyboardInterrupt):
      os.kill(os.getpid(), number)
    os.kill(os.getpid(), number)
    assert interruption.requested


def test_after_a_request_no_signal_is_heard(number):
  with Interruption().watch() as interruption:
    interruption.request()
    assert interruption.requested
    os.kill(os.getpid(), number)


def test_a_block_inside_another_leaves_signals_noted(number):
  with Interruption().watch() as interruption, interruption.noted():
    with interruption.noted():
      pass
    os.kill(os.getpid(), number)
    assert interruption.requested


class Silent:
  """A monitor that shows nothing."""

  def scalars(self, step, terms, images_per_second):
    pass

  def pictures(self, step):
    pass


@contextlib.contextmanager
def session_of(folder, *, steps, text="beta 4", resume=False):
  strategy, interruption = tf.distribute.get_strategy(), Interruption()
  model = tiny_model()
  model.compile(keras.optimizers.Adam(), jit_compile=False)
  model.optimizer.build(model.trainable_variables)
  with (
    interruption.watch(),
    open_session(
      model,
      folder,
      whose="train",
      steps=steps,
      text=text,
      description=RunDescription(lambda: text, "notes.txt"),
      saving=Saving(),
      workers=Workers(strategy),
      interruption=interruption,
      resume=resume,
      overwrite=False,
    ) as session,
  ):
    yield session


def learn(session):
  session.learn(
    Batches(tiny_data(), batch_size=4),
    Silent(),
    strategy=tf.distribute.get_strategy(),
    jit_compile=False,
    watching=Watching(),
  )


def test_a_session_takes_the_steps_that_are_left(tmp_path):
  with session_of(tmp_path, steps=2) as session:
    assert (session.first_step, session.last_step) == (0, 2)
    assert not session.is_finished
    assert (tmp_path / "run.lock").exists()
    learn(session)
  assert (tmp_path / "notes.txt").read_text() == "beta 4"
  assert not (tmp_path / "run.lock").exists()
  with session_of(tmp_path, steps=2, resume=True) as session:
    assert session.is_finished
  with session_of(tmp_path, steps=3, resume=True) as session:
    assert session.first_step == 2 and not session.is_finished


def test_a_session_refuses_other_settings_and_fewer_steps(tmp_path):
  with session_of(tmp_path, steps=2) as session:
    learn(session)
  with (
    pytest.raises(UserError, match="differs from this configuration in 'beta 4'"),
    session_of(tmp_path, steps=2, text="beta 8", resume=True),
  ):
    pass
  with (
    pytest.raises(UserError, match="trained for 2 steps already and train.steps is 1"),
    session_of(tmp_path, steps=1, resume=True),
  ):
    pass
