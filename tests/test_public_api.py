"""The public API: every name is documented, and its example runs."""

import doctest
import importlib
import inspect
import pathlib

import pytest

import disentangle_tf

PACKAGES = [name for name in disentangle_tf.__all__ if name.islower()]
ROOT = pathlib.Path(disentangle_tf.__file__).parent
MODULES = sorted(
  ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(
    ".__init__"
  )
  for path in ROOT.rglob("*.py")
  if ">>> " in path.read_text()
)


def _public(package):
  """{full name: callable} of what a package exports, defined in this project."""
  module = importlib.import_module(f"disentangle_tf.{package}")
  found = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
  return {
    name: value
    for name, value in found.items()
    if callable(value) and getattr(value, "__module__", "").startswith("disentangle_tf")
  }


def _takes_arguments(value):
  signature = inspect.signature(value)
  return any(name not in ("self", "shared") for name in signature.parameters)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_arguments_and_an_example(package):
  lacking = []
  for name, value in _public(package).items():
    text = inspect.getdoc(value) or ""
    is_error = inspect.isclass(value) and issubclass(value, Exception)
    described = any(part in text for part in ("Args:", "Attributes:"))
    if not is_error and _takes_arguments(value) and not described:
      lacking.append(f"{name}: no Args")
    if ">>> " not in text:
      lacking.append(f"{name}: no example")
  assert lacking == []


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, tmp_path, monkeypatch):
  monkeypatch.chdir(tmp_path)
  module = importlib.import_module(name)
  flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
  results = doctest.testmod(module, optionflags=flags, globs={"__name__": name})
  assert results.attempted and not results.failed
