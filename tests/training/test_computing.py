import dataclasses

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.training import Computing


def test_by_default_devices_and_xla_are_left_open():
  assert Computing() == Computing(None, None, "float32", False, True)


def test_is_printable_comparable_and_fixed(two_replicas):
  computing = Computing(strategy=two_replicas, jit_compile=False)
  assert computing == Computing(strategy=two_replicas, jit_compile=False)
  assert computing != Computing(jit_compile=False)
  assert "jit_compile=False, precision='float32'" in repr(computing)
  with pytest.raises(dataclasses.FrozenInstanceError):
    computing.precision = "mixed_float16"


@pytest.mark.parametrize("precision", ["float32", "mixed_float16", "mixed_bfloat16"])
def test_number_formats(precision):
  assert Computing(precision=precision).precision == precision


@pytest.mark.parametrize("precision", ["half", "float8", None, 16])
def test_an_unknown_precision(precision):
  with pytest.raises(UserError, match=r"^Computing\.precision is .*'float32', "):
    Computing(precision=precision)


@pytest.mark.parametrize("name", ["deterministic", "jit_compile", "tensor_float_32"])
def test_a_text_is_no_truth_value(name):
  with pytest.raises(
    UserError, match=rf"^Computing\.{name} is 'no': it must be True or"
  ):
    Computing(**{name: "no"})


def test_a_strategy_is_one_of_tensorflow():
  with pytest.raises(UserError, match=r"^Computing\.strategy is 'gpu': .*Strategy"):
    Computing(strategy="gpu")
