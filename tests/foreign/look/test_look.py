import json
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from processes import children

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.foreign.copy_model import ONNX_FILE
from disentangle_tf.foreign.look.look import look
from disentangle_tf.foreign.look.offer import Offer, Tensor


@pytest.fixture
def path(tmp_path):
  real = TensorProto.FLOAT
  graph = helper.make_graph(
    [helper.make_node("Flatten", ["images"], ["codes"])],
    "encoder",
    [helper.make_tensor_value_info("images", real, ["n", 1, 4, 4])],
    [helper.make_tensor_value_info("codes", real, ["n", 16])],
  )
  model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
  (tmp_path / "copy").mkdir()
  onnx.save(model, tmp_path / "copy" / ONNX_FILE)
  return tmp_path / "copy"


def test_what_is_found(path):
  found = look("onnx", path, Limits())
  assert found.verdict.allowed
  assert found.verdict.looked_at == {"operations": 1, "functions": 0}
  images = Tensor("images", "float32", (None, 1, 4, 4))
  codes = Tensor("codes", "float32", (None, 16))
  assert found.offers == [Offer("onnx", (images,), (codes,))]
  assert (found.kind, found.tags) == ("onnx", None)


def test_the_look_is_confined_and_has_no_tensorflow(path, monkeypatch, tmp_path):
  """The process is the real one; at its end it reports how it was confined."""
  program = tmp_path / "python"
  program.write_text(
    f"#!{sys.executable} -P\n"
    "import json, os, sys\n"
    "sys.path.insert(0, os.environ['PYTHONPATH'])\n"
    "from disentangle_tf.foreign.confine import child\n"
    "from disentangle_tf.foreign.look import look_at\n"
    "def tell(kind, path):\n"
    "  found = original(kind, path)\n"
    "  try:\n"
    "    open('/etc/hostname').read()\n"
    "    found['kind'] = 'reads others files'\n"
    "  except OSError as error:\n"
    "    found['kind'] = error.strerror\n"
    "  large = [m for m in ('keras', 'tensorflow.python') if m in sys.modules]\n"
    "  return {**found, 'tags': large}\n"
    "original, look_at.look_at = look_at.look_at, tell\n"
    "child.main()\n"
  )
  program.chmod(0o700)
  monkeypatch.setattr(sys, "executable", str(program))
  found = look("onnx", path, Limits())
  assert found.kind == "Permission denied"
  assert found.tags == []


def test_too_little_memory(path):
  with pytest.raises(ModelError, match="died"):
    look("onnx", path, Limits(memory_gib=0.001))


def test_what_an_honest_look_costs_in_memory(path):
  """Parsing takes memory: 30,000 nodes do not fit into 0.05 GiB."""
  nodes = [
    helper.make_node("Identity", ["images"], [f"output_{i}"]) for i in range(30_000)
  ]
  graph = helper.make_graph(nodes, "many", [], [])
  onnx.save(helper.make_model(graph), path / ONNX_FILE)
  with pytest.raises(ModelError, match="GiB .--limit_memory_gib|died"):
    look("onnx", path, Limits(memory_gib=0.05))


START = """#!{python}
import sys, time
sys.stdin.buffer.readline()
sys.stdout.buffer.write(b'{{}}\\n' + {content!r})
sys.stdout.buffer.flush()
time.sleep(60)
"""
HONEST = {
  "verdict": {"kind": "ONNX", "findings": [], "looked_at": {}},
  "offers": [],
  "kind": "onnx",
  "tags": None,
}
IMAGES = {"name": "images", "dtype": "float32", "shape": [None, 4]}


def sized(found):
  content = json.dumps(found).encode()
  return f"{len(content)}\n".encode() + content


def changed(**parts):
  return sized({**HONEST, **parts})


TAKEN_OVER = {
  "no size": (b"many\n", "nonsense"),
  "a negative size": (b"-1\n{}", "nonsense"),
  "a large size": (b"99999999999\n", "bytes of names"),
  "no JSON": (b"3\nabc", "nonsense"),
  "a deep one": (b"200000\n" + b"[" * 200_000, "nonsense"),
  "a list": (sized([1]), "nonsense"),
  "less": (sized({"verdict": HONEST["verdict"]}), "nonsense"),
  "a text for a verdict": (changed(verdict="fine"), "nonsense"),
  "a number for a kind": (changed(kind=7), "nonsense"),
  "endless counts": (
    sized({**HONEST, "verdict": {**HONEST["verdict"], "looked_at": {"x": 1e999}}}),
    "nonsense",
  ),
  "a text for a size": (
    changed(
      offers=[{"name": "a", "inputs": [{**IMAGES, "shape": ["x"]}], "outputs": []}]
    ),
    "nonsense",
  ),
  "an impossible size": (
    changed(
      offers=[{"name": "a", "inputs": [{**IMAGES, "shape": [10**30]}], "outputs": []}]
    ),
    "nonsense",
  ),
  "a long name": (
    changed(offers=[{"name": "a" * 2_000, "inputs": [], "outputs": []}]),
    "nonsense",
  ),
  "rude words": (sized({"error": "\x1b[2J" + "x" * 10_000}), "[2Jxxx"),
  "silence": (b"", "took more than 2 s to be scanned"),
}


@pytest.mark.parametrize("case", TAKEN_OVER)
def test_a_look_that_was_taken_over(case, path, tmp_path, monkeypatch):
  content, words = TAKEN_OVER[case]
  program = tmp_path / "python"
  program.write_text(START.format(python=sys.executable, content=content))
  program.chmod(0o700)
  monkeypatch.setattr(sys, "executable", str(program))
  with pytest.raises(ModelError) as caught:
    look("onnx", path, Limits(seconds=2))
  text = str(caught.value)
  assert words in text
  assert text.isprintable() and len(text) < 500


def test_a_long_name_in_a_model(path):
  model = onnx.load(path / ONNX_FILE)
  model.graph.output[0].name = model.graph.node[0].output[0] = "x" * 5_000
  onnx.save(model, path / ONNX_FILE)
  with pytest.raises(ModelError, match="a name in it has 5,000 characters"):
    look("onnx", path, Limits())


def test_no_look_leaves_a_process_behind(path):
  before = children()
  look("onnx", path, Limits())
  (path / ONNX_FILE).write_bytes(np.random.default_rng(0).bytes(100))
  with pytest.raises(ModelError, match="damaged"):
    look("onnx", path, Limits())
  assert children() == before
