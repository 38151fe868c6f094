import json
import shutil

import numpy as np
import pytest
import tensorflow as tf
from shared_checks import run_export_test, tiny_data

from disentangle_tf import export
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError


def test_gives_what_the_model_gives(exported, tmp_path):
  run_export_test(exported[1], tiny_data(), tmp_path / "export")


def test_plain_tensorflow_reads_it(exported):
  folder, model = exported
  loaded = tf.saved_model.load(str(folder))
  images = Batches(tiny_data(), batch_size=3).make(0)
  for signature in ("encode", "serving_default"):
    outputs = loaded.signatures[signature](images=images)
    assert set(outputs) == {"mean", "log_variance"}
    np.testing.assert_allclose(outputs["mean"], model.encode(images).mean(), atol=1e-6)
  decoded = loaded.signatures["decode"](codes=outputs["mean"])["images"].numpy()
  assert decoded.min() >= 0 and decoded.max() <= 1


def test_manifest(exported):
  manifest = export.read_manifest(exported[0])
  assert manifest["contract_version"] == export.CONTRACT_VERSION == 1
  assert manifest["factor_names"] == ["x_R", "y_R", "x_G", "y_G"]
  assert (manifest["latents"], manifest["seed"], manifest["step"]) == (3, 3, 7)
  assert manifest["config"] == "x = 1"
  assert {"tensorflow", "keras", "python", "disentangle_tf"} <= set(
    manifest["versions"]
  )
  files = {p for p in exported[0].rglob("*") if p.is_file()}
  assert len(manifest["sha256"]) == len(files) - 1


@pytest.fixture
def copy(exported, tmp_path):
  return shutil.copytree(exported[0], tmp_path / "copy")


def _edit_manifest(folder, **changes):
  path = folder / "manifest.json"
  path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_another_contract_version(copy):
  _edit_manifest(copy, contract_version=99)
  with pytest.raises(UserError, match="version 99.*version 1"):
    export.ExportedModel(copy)


def test_a_folder_that_is_no_export(tmp_path):
  with pytest.raises(UserError, match="not an export"):
    export.ExportedModel(tmp_path)
  with pytest.raises(UserError, match="does not exist"):
    export.ExportedModel(tmp_path / "nowhere")
  (tmp_path / "file").write_text("")
  with pytest.raises(UserError, match="is a file"):
    export.ExportedModel(tmp_path / "file")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"contract_version": 1}'])
def test_a_manifest_that_says_nothing(copy, text):
  (copy / "manifest.json").write_text(text)
  with pytest.raises(UserError):
    export.ExportedModel(copy)


def test_changed_missing_and_added_files(copy):
  variables = next(copy.glob("variables/variables.data*"))
  content = bytearray(variables.read_bytes())
  content[100] ^= 1
  variables.write_bytes(content)
  with pytest.raises(UserError, match="variables.data.*changed"):
    export.ExportedModel(copy)
  variables.unlink()
  with pytest.raises(UserError, match="variables.data.*missing"):
    export.ExportedModel(copy)


def test_nothing_half_written(exported, tmp_path, monkeypatch):
  def fail(*_, **__):
    raise OSError("disk full")

  monkeypatch.setattr("disentangle_tf.export.writing.write_manifest", fail)
  with pytest.raises(OSError, match="disk full"):
    export.write_export(exported[1], tmp_path / "export", data=tiny_data())
  assert not list(tmp_path.iterdir())
