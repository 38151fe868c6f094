"""The sandbox as users start it: its walls, and equal codes."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from foreign_models import (
  Encoder,
  compute,
  write_hub_module,
  write_keras,
  write_module,
  write_onnx,
)
from processes import children

from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.sandbox import seccomp
from disentangle_tf.foreign.sandbox.warm_children import environment

pytestmark = pytest.mark.skipif(
  not sys.platform.startswith("linux"), reason="confines processes on Linux only"
)


@pytest.fixture(scope="module")
def encoder(exported):
  return Encoder(exported[1])


def test_nothing_large_is_imported_before_it_is_confined():
  program = (
    "import sys\n"
    "from disentangle_tf.foreign.sandbox import child\n"
    "large = {'google', 'h5py', 'keras', 'numpy', 'onnx', 'tensorflow'}\n"
    "assert not large & set(sys.modules), large & set(sys.modules)"
  )
  subprocess.run([sys.executable, "-c", program], env=environment(), check=True)


def test_products_are_not_rounded_to_tensor_float_32(exported):
  program = (
    "import tensorflow as tf\n"
    "from disentangle_tf.foreign.sandbox import child\n"
    "switch = tf.config.experimental\n"
    "class Requests:\n"
    "  def readline(self):\n"
    "    print(switch.tensor_float_32_execution_enabled())\n"
    "assert switch.tensor_float_32_execution_enabled()\n"
    f"model = {{'kind': 'saved_model', 'path': {str(exported[0])!r}, 'tags': None}}\n"
    "child._run({**model, 'calls': {}}, Requests(), lambda content: None)\n"
  )
  command = [sys.executable, "-c", program]
  done = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, check=True)
  assert done.stdout == b"False\n"


def test_its_walls(encoder, tmp_path):
  before = children()
  with ForeignModel(write_onnx(tmp_path / "encoder.onnx", encoder)) as model:
    model.open(encoder.shape)
    (child,) = children() - before
    folder = pathlib.Path(f"/proc/{child}")
    status = dict(re.findall(r"(\w+):\s+(\w+)", (folder / "status").read_text()))
    limits = (folder / "limits").read_text()
    names = {name: os.readlink(folder / "ns" / name) for name in ("net", "ipc")}
    own = {name: os.readlink(f"/proc/self/ns/{name}") for name in names}
  assert status["NoNewPrivs"] == "1"
  assert status["Seccomp"] == ("2" if seccomp.available() else "0")
  assert {int(status[f"Cap{kind}"], 16) for kind in ("Prm", "Eff", "Inh", "Amb")} == {0}
  assert re.search(rf"Max data size +{8 * 2**30} ", limits)
  assert re.search(r"Max address space +\d+ ", limits)
  for record, name in (("network", "net"), ("ipc", "ipc")):
    alone = "namespace of its own" in model.sandbox[record]
    assert (names[name] != own[name]) == alone


@pytest.fixture(params=["one core", "all cores"])
def cores(request):
  allowed = os.sched_getaffinity(0)
  if request.param == "one core":
    os.sched_setaffinity(0, {min(allowed)})  # children inherit it
  yield
  os.sched_setaffinity(0, allowed)


@pytest.mark.parametrize(
  ("write", "name"),
  [
    pytest.param(write_onnx, "encoder.onnx", id="onnx"),
    pytest.param(write_module, "module", id="module", marks=pytest.mark.slow),
    pytest.param(write_hub_module, "hub", id="hub", marks=pytest.mark.slow),
    pytest.param(write_keras, "encoder.keras", id="keras", marks=pytest.mark.slow),
  ],
)
def test_equal_codes_on_any_number_of_cores(write, name, encoder, cores, tmp_path):
  images = np.random.default_rng(0).random((70, *encoder.shape), np.float32)
  expected, _ = compute(images, encoder.parts())
  with ForeignModel(write(tmp_path / name, encoder)) as model:
    model.open(encoder.shape)
    mean, *_ = model.encode(images)
  np.testing.assert_allclose(mean, expected, rtol=1e-4, atol=1e-5)
