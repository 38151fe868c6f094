import json

import pytest

from disentangle_tf.evaluation.kept_scores import (
  SCORES,
  hash_files,
  kept_scores,
  read_scores,
)
from disentangle_tf.output_files import sha256_file

WHOLE = {"scores": {"mig": 0.5}, "directions": {"mig": "higher"}, "asked": "this"}


def _write(folder, content):
  folder.mkdir()
  (folder / SCORES).write_text(json.dumps(content))
  return folder


def test_scores_that_are_whole_are_read(tmp_path):
  content = {**WHOLE, "model": {"path": "a", "sha256": "b"}}
  assert read_scores(_write(tmp_path / "out", content)) == content
  assert read_scores(tmp_path / "elsewhere") is None


@pytest.mark.parametrize("missing", ["scores", "directions", "model"])
def test_scores_that_lack_something_are_not(tmp_path, missing):
  content = {**WHOLE, "model": {"path": "a", "sha256": "b"}}
  del content[missing]
  assert read_scores(_write(tmp_path / "out", content)) is None


@pytest.mark.parametrize("content", [[], 5, {**WHOLE, "model": {"path": "a"}}])
def test_what_is_no_file_of_scores(tmp_path, content):
  assert read_scores(_write(tmp_path / "out", content)) is None


def test_scores_are_kept_for_the_same_model_and_settings(tmp_path):
  model = tmp_path / "codes.npz"
  model.write_bytes(b"any bytes")
  record = {"path": str(model), "sha256": sha256_file(model)}
  data = tmp_path / "data.npz"
  data.write_bytes(b"data")
  content = {**WHOLE, "model": record, "data_files": hash_files([str(data)])}
  folder = _write(tmp_path / "out", content)
  assert kept_scores(folder, model, "this") == content
  data.write_bytes(b"DATA")  # in place
  assert kept_scores(folder, model, "this") is None
  data.write_bytes(b"data")
  assert kept_scores(folder, model, "this") == content
  data.unlink()
  assert kept_scores(folder, model, "this") is None
  data.write_bytes(b"data")
  earlier = _write(tmp_path / "earlier", {**WHOLE, "model": record})
  assert kept_scores(earlier, model, "this") is None  # it records no files
  assert kept_scores(folder, model, "that") is None
  model.write_bytes(b"other bytes")
  assert kept_scores(folder, model, "this") is None
