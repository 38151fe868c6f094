import os

import pytest
import tensorflow as tf

from disentangle_tf.commands.quiet_start import _errors_set_aside, start_tensorflow


def _remark(text):
  os.write(2, text)  # as a C++ library does, past sys.stderr


def test_remarks_are_set_aside(capfd):
  with _errors_set_aside():
    _remark(b"this TensorFlow is optimised with oneDNN")
  _remark(b"after it")
  assert capfd.readouterr().err == "after it"


def test_all_is_shown_if_the_start_fails(capfd):
  with pytest.raises(ImportError), _errors_set_aside():
    _remark(b"libcuda is broken")
    raise ImportError
  _remark(b", after it")
  assert capfd.readouterr().err == "libcuda is broken, after it"


def test_it_may_be_started_twice(capfd):
  start_tensorflow()
  assert tf.config.list_physical_devices("CPU")
  assert capfd.readouterr().err == ""
