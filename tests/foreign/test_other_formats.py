import subprocess
import sys

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.find_models import find_models
from disentangle_tf.foreign.foreign_model import ForeignModel

FORMATS = {
  "vae.h5": r"keras.saving.load_model\('vae.h5', compile=False\).save\('vae.keras'\)",
  "vae.PT": r"torch.onnx.export\(encoder.eval\(\), \(images,\), 'vae.onnx'\)",
  "vae.pth": "weights of PyTorch, without the network",
  "last.ckpt": "a checkpoint, without the network",
  "pca.pkl": r"runs code when it is opened.*skl2onnx.to_onnx",
  "vae.safetensors": "torch.onnx.export",
  "vae.tflite": "tf2onnx.convert --tflite vae.tflite --output vae.onnx",
  "frozen.pb": "tf2onnx.convert --graphdef frozen.pb",
  "saved_model.pb": "is part of a model: name its folder",
}


@pytest.mark.parametrize("name", FORMATS)
def test_other_formats_are_told_apart(name, tmp_path):
  (tmp_path / name).touch()
  for find in (lambda path: find_models([str(path)]), ForeignModel):
    with pytest.raises(UserError, match=FORMATS[name]) as caught:
      find(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_a_folder_of_other_formats(tmp_path):
  (tmp_path / "vae.pt").touch()
  with pytest.raises(UserError, match="vae.pt holds weights of PyTorch"):
    find_models([str(tmp_path)])
  (tmp_path / "vae.onnx").touch()
  assert find_models([str(tmp_path)]) == [tmp_path / "vae.onnx"]


def test_other_formats_are_told_before_tensorflow_starts(tmp_path):
  (tmp_path / "vae.pt").touch()
  command = (
    "import sys; sys.argv = ['evaluate', '--model', sys.argv[1], '--scan_only']\n"
    "from disentangle_tf.commands.evaluate import main\n"
    "try:\n  main()\n"
    "finally:\n  assert 'tensorflow' not in sys.modules"
  )
  done = subprocess.run(
    [sys.executable, "-c", command, tmp_path / "vae.pt"],
    capture_output=True,
    text=True,
    check=False,
  )
  assert done.returncode == 2 and "torch.onnx.export" in done.stderr, done
