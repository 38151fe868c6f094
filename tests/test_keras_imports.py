import importlib
import sys

import pytest

from disentangle_tf.keras_imports import without_wrapped_packages


@pytest.fixture
def unloaded(monkeypatch):
  """As before the first import of pandas."""
  for name in [name for name in sys.modules if name.split(".")[0] == "pandas"]:
    monkeypatch.delitem(sys.modules, name)
  monkeypatch.setitem(sys.modules, "sklearn", pytest)  # any loaded module


def test_packages_are_missing_inside_only(unloaded):
  with without_wrapped_packages():
    with pytest.raises(ImportError):
      importlib.import_module("pandas")
    assert importlib.import_module("sklearn") is pytest  # what is loaded stays
  assert "pandas" not in sys.modules
  assert sys.modules["sklearn"] is pytest


def test_packages_come_back_after_an_error(unloaded):
  with pytest.raises(RuntimeError), without_wrapped_packages():
    raise RuntimeError
  assert "pandas" not in sys.modules
