import json
import shutil

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import run_export_test, tiny_data, tiny_model, tiny_networks

from disentangle_tf import export, models
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.export import manifest
from disentangle_tf.export.signatures import signatures
from disentangle_tf.foreign.foreign_model import ForeignModel


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
  found = export.read_manifest(exported[0])
  assert found["contract_version"] == export.CONTRACT_VERSION == 1
  assert found["factor_names"] == ["x_R", "y_R", "x_G", "y_G"]
  assert (found["latents"], found["seed"], found["step"]) == (3, 3, 7)
  assert found["config"] == "x = 1"
  assert {"tensorflow", "keras", "python", "disentangle_tf"} <= set(found["versions"])
  files = {p for p in exported[0].rglob("*") if p.is_file()}
  assert len(found["sha256"]) == len(files) - 1


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


def test_what_stands_there_is_never_deleted(exported, tmp_path):
  folder = tmp_path / "thesis"
  folder.mkdir()
  (folder / "thesis.tex").write_text("four years")
  with pytest.raises(UserError, match="thesis exists and is not an empty folder"):
    export.write_export(exported[1], folder, data=tiny_data())
  assert [path.name for path in tmp_path.rglob("*")] == ["thesis", "thesis.tex"]
  export.write_export(exported[1], folder, data=tiny_data(), overwrite=True)
  (aside,) = tmp_path.glob("thesis.*")
  assert (aside / "thesis.tex").read_text() == "four years"
  export.ExportedModel(folder)
  for taken in (folder, aside / "thesis.tex"):  # an export is somebody's work, too
    with pytest.raises(UserError, match="exists"):
      export.write_export(exported[1], taken, data=tiny_data())
  assert (aside / "thesis.tex").read_text() == "four years"


def test_an_empty_folder_may_become_an_export(exported, tmp_path):
  export.write_export(exported[1], tmp_path, data=tiny_data())
  export.ExportedModel(tmp_path)


def test_no_input_and_output_share_a_name(exported):
  """As ONNX, to which others convert them, would not have."""
  for signature in tf.saved_model.load(str(exported[0])).signatures.values():
    _, inputs = signature.structured_input_signature
    assert not set(inputs) & set(signature.structured_outputs)


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
    generative_model=None,
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


def test_hyper_parameters_of_a_strangers_manifest():
  given = {"a": 1, "b": 0.5, "c": "x", "d": True}
  bad = {"e": [1], "f": None, "g": float("nan"), "h": 10**400, "i": {"a": 1}}
  assert manifest.hyper_parameters({"hyper_parameters": given | bad}) == given
  for found in ({}, {"hyper_parameters": None}, {"hyper_parameters": [1]}):
    assert manifest.hyper_parameters(found) == {}


@pytest.mark.parametrize("called_before", [False, True])
@pytest.mark.parametrize("cls", [models.AE, models.BetaVAE, models.PCL])
def test_keras_exports_our_models_itself(cls, called_before, tmp_path):
  images = Batches(tiny_data(), batch_size=5).make(0)
  if cls is models.PCL:
    model = models.PCL(tiny_networks()[0], latents=3)
  else:
    model = tiny_model(cls)
  if called_before:
    model(images)
  model.export(tmp_path / "theirs", verbose=False)
  loaded = tf.saved_model.load(str(tmp_path / "theirs"))
  np.testing.assert_allclose(loaded.serve(images), model(images), atol=1e-5)
