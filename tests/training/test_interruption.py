import os
import signal

import pytest

from disentangle_tf.training.interruption import Interruption


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
    os.kill(os.getpid(), number)  # nor does it on the way out


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
