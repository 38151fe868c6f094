"""Private names of libraries are used in a few modules alone, each with its tests."""

import ast
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
ALLOWED = {  # and the library's
  "disentangle_tf/commands/gin_internals.py": "gin",
  "disentangle_tf/metrics/parts/boosted_trees.py": "sklearn",  # stops a fit early
  "disentangle_tf/models/replicas.py": "tensorflow",  # where optimisers sum gradients
  "disentangle_tf/training/tensorflow_internals.py": "tensorflow",
  "tests/evaluation/test_limits.py": "sklearn",  # to see that a fit is left early
  "tests/tensorflow_operations.py": "tensorflow",
}
_ROOMS_OF_LIBRARIES = {"internal", "python", "src"}  # not meant for users


def _is_private(name):
  return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def _private_parts(name):
  parts = name.split(".")[1:]
  return [part for part in parts if _is_private(part) or part in _ROOMS_OF_LIBRARIES]


def _is_library(name):
  top = name.split(".")[0]
  ours = (
    top in {"disentangle_tf", "benchmarks"} or (ROOT / "tests" / f"{top}.py").exists()
  )
  return not ours and top not in sys.stdlib_module_names


def _imports(tree):
  """{name in the module: full name} of the imports from libraries."""
  found = {}
  for node in ast.walk(tree):
    if isinstance(node, ast.Import):
      for alias in node.names:
        found[alias.asname or alias.name.split(".")[0]] = alias.name
    elif isinstance(node, ast.ImportFrom):
      for alias in node.names:
        found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
  return {name: full for name, full in found.items() if _is_library(full)}


def _defined(tree):
  """Names that a module itself defines or assigns, as names or as attributes."""
  for node in ast.walk(tree):
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
      yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
      yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
      yield from [node.attr] * (ast.unparse(node.value) in {"self", "cls"})


def _root(node):
  while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
    node = node.func if isinstance(node, ast.Call) else node.value
  return node.id if isinstance(node, ast.Name) else None


def private_uses(code, *, of_objects):
  """Private names of libraries in a module.

  Args:
    code: its text.
    of_objects: also of objects that may come from a library: attributes of other things
      than self that the module does not define.
  """
  tree = ast.parse(code)
  imported = _imports(tree)
  found = {full for full in imported.values() if _private_parts(full)}
  defined = set(_defined(tree)) | set(dir(sys.modules["os"]))
  for node in ast.walk(tree):
    if not (isinstance(node, ast.Attribute) and _is_private(node.attr)):
      continue
    root = _root(node)
    unknown = root not in {"self", "cls"} and node.attr not in defined
    if root in imported or (of_objects and unknown):
      found.add(ast.unparse(node))
  return sorted(found)


@pytest.mark.parametrize(
  ("code", "found"),
  [
    ("import gin\ngin.config._CONFIG", ["gin.config._CONFIG"]),
    ("from gin import config as c\nc._CONFIG.get(1)", ["c._CONFIG"]),
    (
      "from tensorflow.python.framework import config",
      ["tensorflow.python.framework.config"],
    ),
    ("import keras.src.ops", ["keras.src.ops"]),
    ("from sklearn.ensemble import _gb", ["sklearn.ensemble._gb"]),
    ("def step(optimizer):\n  return optimizer._iterations", ["optimizer._iterations"]),
    ("def step(value):\n  value._made = 1", ["value._made"]),
    ("import tensorflow as tf\ntf.config.list_physical_devices('GPU')", []),
    ("import os\nos._exit(0)", []),
    ("def copy(self):\n  other._set_up = self._set_up\n\ndef _set_up(): pass", []),
  ],
)
def test_what_is_found(code, found):
  assert private_uses(code, of_objects=True) == found


@pytest.mark.parametrize("folder", ["disentangle_tf", "benchmarks", "bin", "tests"])
def test_no_module_but_a_few_uses_private_names(folder):
  for path in sorted((ROOT / folder).rglob("*.py")):
    place = path.relative_to(ROOT).as_posix()
    if place not in ALLOWED:
      found = private_uses(path.read_text(), of_objects=folder == "disentangle_tf")
      assert found == [], place


def test_those_that_may_do():
  for place, library in ALLOWED.items():
    found = _imports(ast.parse((ROOT / place).read_text())).values()
    assert library in {name.split(".")[0] for name in found}
    ours = place.startswith("disentangle_tf")
    assert private_uses((ROOT / place).read_text(), of_objects=ours), place
