"""Files of other formats are recognised by content; the advice works.

`other_formats/` holds files that PyTorch 2.13 wrote: one linear layer from images of
3×4×4 to 4 numbers.
"""

import gzip
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import time

import h5py
import joblib
import keras
import numpy as np
import pandas as pd
import pytest
from onnx_files import node, write_encoder
from sklearn.decomposition import PCA, FastICA

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.model_files import find_models
from disentangle_tf.foreign.open_file import Glance
from disentangle_tf.foreign.other_formats import describe_other_format


@pytest.fixture
def onnx_path(tmp_path_factory):
  path = tmp_path_factory.mktemp("onnx") / "encoder.onnx"
  write_encoder(path, [node("Flatten")])
  return path


def run_python(program):
  done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
  assert done.returncode == 0, done.stderr


FILES = pathlib.Path(__file__).parent / "other_formats"
POINTS = np.random.default_rng(0).normal(size=(20, 6))

OF_TORCH = {
  "weights.pt": r"holds weights of PyTorch.*torch.onnx.export\(encoder.eval\(\)",
  "legacy.pth": r"holds weights of PyTorch",
  "weights.safetensors": r"holds weights of PyTorch",
  "traced.pt": r"is TorchScript.*torch.onnx.export\(torch.jit.load\('traced.pt'\)",
  "scripted.ts": r"is TorchScript.*'scripted.onnx', dynamo=False",
  "exported.pt2": r"is a program of torch.export.*torch.export.load\('exported.pt2'\)",
}


@pytest.mark.parametrize("name", OF_TORCH)
def test_files_of_pytorch(name, tmp_path):
  assert re.search(OF_TORCH[name], describe_other_format(FILES / name))
  other = tmp_path / "model.bin"  # the content decides, not the name
  shutil.copy(FILES / name, other)
  assert re.search(OF_TORCH[name].split(".")[0], describe_other_format(other))


def _pickled(value, protocol):
  return lambda path: path.write_bytes(pickle.dumps(value, protocol))


PICKLES = {
  **{
    f"pca{protocol}.pkl": (_pickled(PCA(2).fit(POINTS), protocol), "PCA.*skl2onnx")
    for protocol in range(2, 6)
  },
  "pca.joblib": (lambda path: joblib.dump(PCA(2), path), "scikit-learn's PCA"),
  "small.joblib": (lambda path: joblib.dump(PCA(2), path, 3), "is a pickle"),
  "ica.pkl": (_pickled(FastICA(2), 4), "FastICA.*no ONNX converter.*np.savez"),
  "codes.pkl": (_pickled({"codes": POINTS}, 4), "a pickle of arrays.*np.savez"),
  "array.pkl": (_pickled(POINTS, 2), "a pickle of arrays"),
  "frame.pkl": (pd.DataFrame(POINTS).to_pickle, "a pickle of arrays"),
  "settings.pkl": (_pickled({"beta": 4}, 4), "is a pickle, which runs code"),
}


@pytest.mark.parametrize("name", PICKLES)
def test_pickles_are_not_opened(name, tmp_path):
  write, expected = PICKLES[name]
  write(tmp_path / name)
  assert re.search(expected, describe_other_format(tmp_path / name))


OTHERS = {
  "model.tflite": (b"\x1c\0\0\0TFL3\0\0", "tf2onnx.convert --tflite model.tflite"),
  "frozen.pb": (b"\n\x09\n\x01x\x12\x04Relu", "--graphdef frozen.pb"),
  "graph.pb": (b"\x08\x01\x12\x80\x01", "name it saved_model.pb"),
  "saved_model.pb": (b"\x08\x01\x12\x80\x01", "is part of a model: name its folder"),
  "params.msgpack": (b"\x81\xa6params", "weights of JAX"),
  "last.ckpt": (b"anything", "a checkpoint, without the network"),
  "codes.parquet": (b"PAR1\x15", "is a table"),
  "codes.mat": (b"MATLAB 5.0 MAT-file, Platform: posix", "is a table"),
  "codes.csv": (b"z0,z1\n0.5,1\n", "is a table"),
  "model.onnx.gz": (gzip.compress(b"model"), "is compressed"),
  "nothing.onnx": (b"", "is empty"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_formats(name, tmp_path):
  content, expected = OTHERS[name]
  (tmp_path / name).write_bytes(content)
  line = describe_other_format(tmp_path / name)
  assert re.search(expected, line) and "\n" not in line
  with pytest.raises(UserError, match=expected):
    find_models([str(tmp_path / name)])


def test_models_with_other_names(tmp_path, onnx_path):
  shutil.copy(onnx_path, tmp_path / "encoder.model")
  np.savez(tmp_path / "codes.npz", codes=POINTS)
  np.save(tmp_path / "codes.npy", POINTS)
  for suffix in ("npz", "npy"):
    (tmp_path / f"codes.{suffix}").rename(tmp_path / f"{suffix}.dat")
  expected = {
    "encoder.model": "an ONNX model: give it a name that ends in .onnx",
    "npz.dat": "arrays of NumPy: give it a name that ends in .npz",
    "npy.dat": "an array of NumPy: give it a name that ends in .npy",
  }
  for name, words in expected.items():
    assert words in describe_other_format(tmp_path / name)


def test_known_kinds_have_no_advice(tmp_path, onnx_path):
  np.savez(tmp_path / "codes.npz", codes=POINTS, factors=POINTS)
  np.save(tmp_path / "codes.npy", POINTS)
  _small_model().save(tmp_path / "model.keras")
  for path in (onnx_path, *tmp_path.iterdir()):
    assert describe_other_format(path) is None, path
  assert describe_other_format(tmp_path / "missing") is None


FOLDERS = {
  "Hugging Face, weights": ("config.json", "model.safetensors"),
  "a data set of Hugging Face": ("dataset_info.json", "data-00000.arrow"),
  "a checkpoint of TensorFlow": ("checkpoint", "ckpt-1.index"),
}


@pytest.mark.parametrize("expected", FOLDERS)
def test_folders(expected, tmp_path):
  for name in FOLDERS[expected]:
    (tmp_path / name).touch()
  with pytest.raises(UserError, match=expected):
    find_models([str(tmp_path)])


def test_a_model_may_lie_beside_other_files(tmp_path):
  for name in ("saved_model.pb", "checkpoint", "config.json", "model.safetensors"):
    (tmp_path / name).write_bytes(b"content")
  assert describe_other_format(tmp_path) is None
  assert find_models([str(tmp_path)]) == [tmp_path]


def test_the_first_version_of_onnx_is_no_saved_model(tmp_path):
  (tmp_path / "old.onnx").write_bytes(b"\x08\x01\x12\x04test")
  assert describe_other_format(tmp_path / "old.onnx") is None


def test_a_pickle_that_would_be_slow_to_search(tmp_path):
  """Without a bound the search takes minutes of CPU time."""
  (tmp_path / "slow.pkl").write_bytes(b"\x80\x04" + b"sklearn." * 130_000)
  started = time.process_time()
  assert "is a pickle" in describe_other_format(tmp_path / "slow.pkl")
  assert time.process_time() - started < 20


def test_files_that_are_none(tmp_path):
  """No file is waited for, and none is read whole."""
  os.mkfifo(tmp_path / "pipe.onnx")
  assert describe_other_format(tmp_path / "pipe.onnx") is None
  with pytest.raises(ModelError, match="not a plain file"):
    Glance.at(tmp_path / "pipe.onnx")
  with pytest.raises(ModelError, match="not a plain file"):
    Glance.at("/dev/zero")
  with open(tmp_path / "sparse.pt", "wb") as file:
    file.truncate(2**40)
  found = Glance.at(tmp_path / "sparse.pt")
  assert len(found.head) == len(found.tail) == 2**20


def test_notes_are_no_model(tmp_path):
  (tmp_path / "notes.txt").write_text("beta = 4")
  with pytest.raises(UserError, match="notes.txt is not a model: name the folder"):
    find_models([str(tmp_path / "notes.txt")])


def _small_model():
  images = keras.Input((4, 4, 1))
  codes = keras.layers.Dense(2, name="z_mean")(keras.layers.Flatten()(images))
  return keras.Model(images, codes)


def test_hdf5_files(tmp_path):
  model = _small_model()
  model.save(tmp_path / "model.h5")
  model.save_weights(tmp_path / "model.weights.h5")
  with h5py.File(tmp_path / "codes.h5", "w") as file:
    file["codes"] = POINTS
  shutil.copy(tmp_path / "model.h5", tmp_path / "old.keras")
  expected = {
    "model.h5": "import keras; keras.models.load_model('model.h5', compile=False)",
    "old.keras": "has an old format of Keras",
    "model.weights.h5": "model.load_weights('model.weights.h5')",
    "codes.h5": "codes=file['codes']",
  }
  for name, words in expected.items():
    assert words in describe_other_format(tmp_path / name)


def _sampling_models(folder):
  """Program that writes VAEs of Keras 2 and 3 with code of their own, in HDF5."""
  return f"""
import os
os.chdir({str(folder)!r})
import keras, tf_keras

def sampling(parts):
  return parts[0] + parts[1]

for keras in (keras, tf_keras):
  layers, number = keras.layers, keras.__version__[0]
  class Sampling(layers.Layer):
    def call(self, parts):
      return parts[0] + parts[1]
  images = keras.Input((4, 4, 1))
  flat = layers.Flatten()(images)
  mean = layers.Dense(2, name="z_mean")(flat)
  spread = layers.Dense(2, name="z_log_var")(flat)
  for kind, layer in (
    ("function", layers.Lambda(sampling, output_shape=(2,), name="z")),
    ("lambda", layers.Lambda(lambda p: p[0], output_shape=(2,), name="z")),
    ("layer", Sampling(name="z")),
  ):
    encoder = keras.Model(images, [mean, spread, layer([mean, spread])], name="encoder")
    encoder.save(f"{{kind}}_{{number}}.h5")
    if number == "2":
      codes = keras.Input((2,))
      decoder = keras.Model(codes, layers.Dense(16)(codes), name="decoder")
      keras.Model(images, decoder(encoder(images)[2])).save(f"whole_{{kind}}.h5")
"""


@pytest.mark.slow  # Keras 2 and 3, and nine models
def test_hdf5_files_with_their_own_code(tmp_path):
  run_python(_sampling_models(tmp_path))
  files = sorted(tmp_path.glob("*.h5"))
  assert len(files) == 9
  commands = []
  for path in files:
    line = describe_other_format(path)
    assert "code of its own in 'z'" in line
    commands.append(re.search(r"(import .*) makes a model", line)[1])
  checks = "assert [tuple(o.shape) for o in keras.models.load_model(NAME).outputs] "
  checks += "== [(None, 2), (None, 2)]\n"
  program = f"import os\nos.chdir({str(tmp_path)!r})\n"
  for path, command in zip(files, commands, strict=True):
    program += f"{command}\n" + checks.replace("NAME", repr(f"{path.stem}.keras"))
  run_python(program)


@pytest.mark.parametrize("name", ["traced.pt", "scripted.ts", "exported.pt2"])
@pytest.mark.slow
def test_commands_of_pytorch(name, tmp_path):
  pytest.importorskip("torch")
  if name == "exported.pt2":
    pytest.importorskip("onnxscript")
  runtime = pytest.importorskip("onnxruntime")
  shutil.copy(FILES / name, tmp_path)
  line = describe_other_format(tmp_path / name)
  command = re.search(r"(torch.onnx.export.*\)) makes a model", line)[1]
  start = f"import os, torch\nos.chdir({str(tmp_path)!r})\n"
  run_python(f"{start}images = torch.zeros(2, 3, 4, 4)\n{command}")
  (path,) = tmp_path.glob("*.onnx")
  session = runtime.InferenceSession(path)
  images = np.zeros((5, 3, 4, 4), np.float32)
  (codes,) = session.run(None, {session.get_inputs()[0].name: images})
  assert codes.shape == (5, 4)


def test_hostile_configurations(tmp_path):
  """Text of a file that is read as JSON cannot break the advice."""
  starts = b'\x89HDF\r\n\x1a\n model_config {"class_name": "Functional", "config": '
  deep = b"[" * 200_000
  names = (
    b'{"layers": [{"name": "{0}\\u001b[2J\'", "class_name": "Lambda", "config": {}'
  )
  lists = names.replace(b'"config": {}', b'"config": ["x"]')
  nested = b', "inbound_nodes": ' + b"[" * 900 + b"]" * 900 + b"}]}}"
  odd = [deep, b"[1, 2]}", b"null}", names + nested]
  odd += [names + b', "inbound_nodes": 3}]}}', lists + b', "inbound_nodes": []}]}}']
  for rest in odd:
    (tmp_path / "a.h5").write_bytes(starts + rest)
    line = describe_other_format(tmp_path / "a.h5")
    assert "old format of Keras" in line and line.isprintable()


def test_nothing_large_is_loaded():
  run_python(
    "import sys\n"
    "from disentangle_tf.foreign.other_formats import describe_other_format\n"
    f"assert describe_other_format({str(FILES / 'traced.pt')!r})\n"
    "assert not {'numpy', 'h5py', 'tensorflow', 'torch'} & set(sys.modules)"
  )
