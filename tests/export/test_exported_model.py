import json
import shutil

import keras
import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf import export
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.export import manifest
from disentangle_tf.export.writing import signatures
from disentangle_tf.foreign.foreign_model import ForeignModel


def test_a_folder_that_is_no_export(tmp_path):
  with pytest.raises(UserError, match="not an export"):
    export.ExportedModel(tmp_path)
  with pytest.raises(UserError, match="does not exist"):
    export.ExportedModel(tmp_path / "nowhere")
  (tmp_path / "file").write_text("")
  with pytest.raises(UserError, match="is a file"):
    export.ExportedModel(tmp_path / "file")


@pytest.fixture
def copy(exported, tmp_path):
  return shutil.copytree(exported[0], tmp_path / "copy")


def _edit_manifest(folder, **changes):
  path = folder / "manifest.json"
  path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_another_contract_version(copy):
  _edit_manifest(copy, contract_version=99)
  with pytest.raises(UserError, match="version 99.*versions 1 and 2"):
    export.ExportedModel(copy)


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


def test_exports_whose_reconstructions_are_called_images_are_read(exported, tmp_path):
  """As all were at first."""
  _, model = exported
  archive = keras.export.ExportArchive()
  archive.track(model)
  for name, (function, spec) in signatures(model).items():
    if name == "reconstruct":
      function = lambda images: {"images": model.reconstruct(images)}  # noqa: E731
    archive.add_endpoint(name, function, [spec])
  archive.write_out(str(tmp_path / "old"), verbose=False)
  manifest.write_manifest(
    tmp_path / "old",
    data=tiny_data(),
    latents=model.latents,
    model=None,
    config_text="",
    hyper_parameters={},
    seed=0,
    step=0,
  )
  images = Batches(tiny_data(), batch_size=5).make(0).numpy()
  expected = model.reconstruct(images)
  old = export.ExportedModel(tmp_path / "old")
  np.testing.assert_allclose(old.reconstruct(images), expected, atol=1e-6)
  with ForeignModel(tmp_path / "old") as opened:
    opened.open((8, 8, 2), trusted=True)
    np.testing.assert_allclose(opened.reconstruct(images), expected, atol=1e-6)


def test_exports_of_version_1_are_read(golden_folder):
  """What a model said when it was exported, before there was a version 2."""
  folder = golden_folder / "exports"
  expected = np.load(folder / "version_1.npz")
  old = export.ExportedModel(folder / "version_1")
  assert old.manifest["contract_version"] == 1
  assert old.observation_shape == (8, 8, 2) and old.can_decode
  images = expected["images"]
  means, log_variances = old.encode(images)
  np.testing.assert_allclose(means, expected["means"], atol=1e-5)
  np.testing.assert_allclose(log_variances, expected["log_variances"], atol=1e-5)
  reconstructions = expected["reconstructions"]
  np.testing.assert_allclose(old.reconstruct(images), reconstructions, atol=1e-5)
  decoded = old.decode(expected["means"])
  np.testing.assert_allclose(decoded, reconstructions, atol=1e-5)
