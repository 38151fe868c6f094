import pathlib

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.find_models import find_models


@pytest.fixture
def folder(tmp_path):
  for name in ("a/export", "b/export"):
    (tmp_path / name / "variables").mkdir(parents=True)
    (tmp_path / name / "saved_model.pb").touch()
    (tmp_path / name / "variables" / "inner.npz").touch()
  for name in ("c.onnx", "b/d.keras", "codes.npz", "notes.txt"):
    (tmp_path / name).touch()
  return tmp_path


def names(paths, folder):
  return [pathlib.Path(path).relative_to(folder).as_posix() for path in paths]


def test_folders_patterns_and_files(folder):
  every = ["c.onnx", "codes.npz", "a/export", "b/d.keras", "b/export"]
  assert sorted(names(find_models([str(folder)]), folder)) == sorted(every)
  exports = find_models([f"{folder}/*/export"])
  assert names(exports, folder) == ["a/export", "b/export"]
  twice = find_models([str(folder / "c.onnx"), f"{folder}/*.onnx"])
  assert names(twice, folder) == ["c.onnx"]


def test_nothing_there(folder):
  with pytest.raises(UserError, match="there is no model"):
    find_models([f"{folder}/*.pb"])
  # What is there and is no model is named, so that the next step can say why.
  assert find_models([str(folder / "notes.txt")]) == [folder / "notes.txt"]
