import hashlib
import json
import os

import numpy as np
import pytest
from onnx_files import write_data

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign import copy_model
from disentangle_tf.foreign.copy_model import hash_model
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.scan.scan import Arrays


def sha256(content):
  return hashlib.sha256(content).hexdigest()


def test_arrays_have_the_hash_of_their_file(tmp_path):
  path = tmp_path / "codes.npy"
  np.save(path, np.ones((3, 2)))
  assert hash_model(path) == sha256(path.read_bytes()) == Arrays.read(path).sha256


def test_a_file_is_hashed_with_its_name(tmp_path):
  (tmp_path / "m.keras").write_bytes(b"not a model, never opened")
  listed = {"m.keras": sha256(b"not a model, never opened")}
  assert hash_model(tmp_path / "m.keras") == sha256(json.dumps(listed).encode())


def test_a_folder_is_known_again_by_what_is_read_of_it(copy):
  with ForeignModel(copy) as model:
    expected = model.sha256_of_all
  assert hash_model(copy) == expected
  (copy / "notes").write_text("which nothing reads")
  assert hash_model(copy) == expected
  (copy / "manifest.json").write_text("{}")
  assert hash_model(copy) != expected


def replace_by_link(copy, name, target):
  (copy / name).unlink()
  (copy / name).symlink_to(target)


def replace_folder_by_link(copy):
  os.rename(copy / "variables", copy.parent / "elsewhere")
  (copy / "variables").symlink_to(copy.parent / "elsewhere")


def replace_by_pipe(copy):
  (copy / "saved_model.pb").unlink()
  os.mkfifo(copy / "saved_model.pb")


FILES = {
  "linked weights": (
    lambda c: replace_by_link(c, "variables/variables.index", "/etc/passwd"),
    "a symbolic link, variables/variables.index",
  ),
  "linked graph": (
    lambda c: replace_by_link(c, "saved_model.pb", c.parent / "other"),
    "a symbolic link, saved_model.pb",
  ),
  "linked folder": (replace_folder_by_link, "a symbolic link, variables"),
  "link that is not read": (
    lambda c: (c / "notes").symlink_to("/etc/passwd"),
    "a symbolic link, notes",
  ),
  "pipe as graph": (replace_by_pipe, "saved_model.pb, which is not a plain file"),
  "pipe": (lambda c: os.mkfifo(c / "notes"), "notes, which is not a plain file"),
  "text form": (
    lambda c: (c / "saved_model.pbtxt").write_text(""),
    "saved_model.pbtxt, which TensorFlow may load instead",
  ),
  "chunked form": (
    lambda c: (c / "saved_model.cpb").write_bytes(b""),
    "saved_model.cpb, which TensorFlow may load instead",
  ),
  "control characters": (
    lambda c: (c / "evil\x1b[2J\n").symlink_to("/etc/passwd"),
    r"a symbolic link, evil\\x1b\[2J$",
  ),
}


@pytest.mark.parametrize("case", FILES)
def test_files_that_are_refused(case, copy):
  change, words = FILES[case]
  change(copy)
  with pytest.raises(ModelError, match=words):
    ForeignModel(copy)


def test_folders_without_end(copy):
  folder = os.open(copy, os.O_RDONLY)
  for _ in range(30):
    os.mkdir("x" * 200, dir_fd=folder)
    inner = os.open("x" * 200, os.O_RDONLY, dir_fd=folder)
    os.close(folder)
    folder = inner
  os.close(folder)
  with pytest.raises(ModelError, match="cannot be read"):
    ForeignModel(copy)


def test_only_the_text_form(copy):
  (copy / "saved_model.pb").rename(copy / "saved_model.pbtxt")
  with pytest.raises(ModelError, match="may load instead"):
    ForeignModel(copy)


def test_other_files_are_left_out(copy):
  for name in ("keras_metadata.pb", "saved_model.pb\n", "variables/notes"):
    (copy / name).write_text("x")
  with ForeignModel(copy) as model:
    assert model.verdict.allowed
    assert sorted(model.left_out) == [
      "keras_metadata.pb",
      "saved_model.pb",
      "variables/notes",
    ]
    assert not any("notes" in name or "keras" in name for name in model.sha256)


@pytest.mark.parametrize(
  ("limit", "value", "words"),
  [
    ("MOST_GRAPH_BYTES", 99, "saved_model.pb is larger than 99 bytes"),
    ("MOST_BYTES", 99, r"is larger than \d+ bytes"),
    ("MOST_FILES", 2, "more than 2 files"),
  ],
)
def test_too_much(limit, value, words, copy, monkeypatch):
  monkeypatch.setattr(copy_model, limit, value)
  with pytest.raises(ModelError, match=words):
    ForeignModel(copy)


def test_a_large_manifest(copy, monkeypatch):
  graph = (copy / "saved_model.pb").stat().st_size
  monkeypatch.setattr(copy_model, "MOST_GRAPH_BYTES", graph)
  (copy / "manifest.json").write_bytes(b" " * (graph + 1))
  with pytest.raises(ModelError, match="manifest.json is larger"):
    ForeignModel(copy)


def test_nothing_is_left_behind(copy, monkeypatch, tmp_path):
  monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
  before = set(tmp_path.iterdir())
  with ForeignModel(copy):
    assert set(tmp_path.iterdir()) != before
  (copy / "link").symlink_to("/etc/passwd")
  with pytest.raises(ModelError):
    ForeignModel(copy)
  assert set(tmp_path.iterdir()) == before


def test_data_behind_a_link(tmp_path):
  path = write_data(tmp_path)
  (tmp_path / "w.bin").rename(tmp_path / "secret")
  (tmp_path / "w.bin").symlink_to(tmp_path / "secret")
  with pytest.raises(ModelError, match="w.bin is a symbolic link"):
    ForeignModel(path)


def test_data_that_is_a_pipe(tmp_path):
  path = write_data(tmp_path)
  (tmp_path / "w.bin").unlink()
  os.mkfifo(tmp_path / "w.bin")
  with pytest.raises(ModelError, match="w.bin is not a plain file"):
    ForeignModel(path)


def test_too_much_data(tmp_path, monkeypatch):
  path = write_data(tmp_path)
  monkeypatch.setattr(copy_model, "MOST_BYTES", path.stat().st_size + 500)
  with pytest.raises(ModelError, match="w.bin is larger than 500 bytes"):
    ForeignModel(path)


def test_only_what_is_named_is_copied(tmp_path, monkeypatch):
  path = write_data(tmp_path)
  (tmp_path / "secret").write_text("x")
  monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
  with ForeignModel(path):
    copied = {file.name for file in tmp_path.glob("tmp*/**/*") if file.is_file()}
    assert copied == {"model.onnx", "w.bin"}
