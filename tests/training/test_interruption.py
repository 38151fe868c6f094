import os
import signal

import pytest

from disentangle_tf.training.interruption import Interruption


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_becomes_a_request(number):
  before = signal.getsignal(number)
  with Interruption().watch() as interruption:
    assert not interruption.requested
    os.kill(os.getpid(), number)
    assert interruption.requested
    os.kill(os.getpid(), number)  # impatience changes nothing
  assert signal.getsignal(number) is before
