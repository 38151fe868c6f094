"""Analyses know nothing of files, TensorFlow or matplotlib."""

import ast
import pathlib

import pytest

from disentangle_tf.studies import analyses

_FILES = sorted(pathlib.Path(analyses.__file__).parent.glob("*.py"))
_ALLOWED = {"numpy", "scipy", "pandas", "dataclasses", "itertools", "re"}
_ALLOWED |= {"__future__", "collections", "typing"}
_OURS = (
  "disentangle_tf.errors",
  "disentangle_tf.metrics",
  "disentangle_tf.studies.analyses",
  "disentangle_tf.studies.model_scores",
  "disentangle_tf.studies.titles",
  "disentangle_tf.studies.titles",
)


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_imports(path):
  for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
    names = []
    if isinstance(node, ast.Import):
      names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
      names = [node.module]
    for name in names:
      assert name.split(".")[0] in _ALLOWED or name.startswith(_OURS), name
