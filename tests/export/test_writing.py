import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import run_export_test, tiny_data

from disentangle_tf import export
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError


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


def test_no_input_and_output_share_a_name(exported):
  """As ONNX, to which others convert them, would not have."""
  for signature in tf.saved_model.load(str(exported[0])).signatures.values():
    _, inputs = signature.structured_input_signature
    assert not set(inputs) & set(signature.structured_outputs)


def test_gives_what_the_model_gives(exported, tmp_path):
  run_export_test(exported[1], tiny_data(), tmp_path / "export")


def test_keras_calls_it_without_the_name_of_an_endpoint(exported):
  folder, model = exported
  images = Batches(tiny_data(), batch_size=3).make(0)
  outputs = keras.layers.TFSMLayer(folder)(images)
  posterior = model.encode(images)
  np.testing.assert_allclose(outputs["mean"], posterior.mean(), atol=1e-6)
  variances = np.exp(outputs["log_variance"])
  np.testing.assert_allclose(variances, posterior.variance(), rtol=1e-4)


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
