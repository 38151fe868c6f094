"""The names that `disentangle_tf.foreign` exports, loaded on first use."""

import subprocess
import sys

import pytest

from disentangle_tf import foreign

_PROGRAM = """
import sys
from disentangle_tf import foreign
from disentangle_tf.foreign import interface, sandbox, scan
large = {"google", "h5py", "keras", "numpy", "onnx", "tensorflow"}
assert not large & set(sys.modules), large & set(sys.modules)
foreign.Limits
loaded = [name for name in sys.modules if name.startswith("disentangle_tf.foreign.")]
assert "disentangle_tf.foreign.foreign_model" not in loaded, loaded
"""


def test_nothing_large_is_imported_with_the_packages():
  subprocess.run([sys.executable, "-c", _PROGRAM], check=True)


@pytest.mark.parametrize("name", foreign.__all__)
def test_every_name_is_what_it_says(name):
  assert getattr(foreign, name).__name__ == name
  assert name in dir(foreign)


def test_an_unknown_name():
  with pytest.raises(AttributeError, match="no attribute 'Model'"):
    getattr(foreign, "Model")  # noqa: B009
