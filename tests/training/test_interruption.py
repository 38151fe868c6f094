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
