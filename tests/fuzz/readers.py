"""Reads a foreign file as it is read before its model runs, one function per format.

Each takes the path of a file and may raise a `UserError`, and nothing else.
"""

import contextlib
import json
import math
import pathlib
import shutil
import tempfile

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.copy_model import ONNX_FILE
from disentangle_tf.foreign.interface.detect_interface import choose_interface
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.scan import read_arrays, scan, scan_in_child


def read_saved_model(path):
  """As a folder with nothing else in it."""
  _look_at_folder("saved_model", path, "saved_model.pb")


def read_onnx(path):
  """As a folder, too, as `copy_model` makes one."""
  _look_at_folder("onnx", path, ONNX_FILE)


def read_keras(path):
  _look("keras", path)


def read_array_file(path):
  description, numbers = read_arrays.read_arrays(path)
  contents = map(memoryview, numbers)
  found = scan._checked(_sent(description), lambda count: next(contents))
  assert all(math.prod(found[1][name]) == len(a.flat) for name, a in found[2].items())


def read_manifest(path):
  """As the manifest of an export: loss, likelihood, prior and data set."""
  from disentangle_tf.evaluation import opening
  from disentangle_tf.export import manifest as manifests
  from disentangle_tf.export import reconstruction_loss_of
  from disentangle_tf.export.generative_model import (
    generative_config,
    generative_model_from_config,
  )

  with tempfile.TemporaryDirectory() as folder:
    shutil.copy(path, pathlib.Path(folder) / "manifest.json")
    if not manifests.is_manifest(folder):
      return
    manifest = manifests.read_manifest(folder)
    with contextlib.suppress(UserError):
      manifests.check_files(folder, manifest)
    manifests.hyper_parameters(manifest)
    with contextlib.suppress(UserError):
      reconstruction_loss_of(manifest)
    with contextlib.suppress(UserError):
      config = generative_config(manifest)
      generative_model_from_config(config, np.asarray).try_out((8, 8, 2), 3)
    data = opening.data_of(manifest, False)
    data.observe(data.factors.draw(2, np.random.default_rng(0)))


def _look_at_folder(kind, path, name):
  with tempfile.TemporaryDirectory() as folder:
    shutil.copy(path, pathlib.Path(folder) / name)
    _look(kind, folder)


def _look(kind, path):
  found = scan._read_answer(_sent(scan_in_child.look_at(kind, path)))
  found.verdict.to_text()
  json.dumps(found.verdict.to_json())
  for shape in ((64, 64, 1), (8, 8, 2), (2,)):
    with contextlib.suppress(UserError):
      chosen = choose_interface(
        found.offers, shape, Reading(), channels_first=kind == "onnx"
      )
      chosen.describe()


def _sent(value):
  """As the other process sends it."""
  return json.loads(json.dumps(value).encode())


READERS = {
  "saved_model.pb": read_saved_model,
  "model.onnx": read_onnx,
  "model.keras": read_keras,
  "arrays.npz": read_array_file,
  "codes.npy": read_array_file,
  "manifest.json": read_manifest,
  "manifest_version_1.json": read_manifest,
}
