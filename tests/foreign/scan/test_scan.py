import hashlib
import json
import resource
import sys
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from processes import children

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.copy_model import ONNX_FILE
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.foreign.scan.scan import Arrays, look
from disentangle_tf.foreign.scan.verdict import Offer, Tensor

RNG = np.random.default_rng(0)
CODES = RNG.normal(size=(7, 3))


def test_npz(tmp_path):
  path = tmp_path / "a.npz"
  factors = np.asfortranarray(RNG.normal(size=(7, 2)))
  np.savez_compressed(path, codes=CODES, factors=factors, names=["a", "b"], more=[1])
  found = Arrays.read(path)
  np.testing.assert_array_equal(found.numbers["codes"], CODES.astype(np.float32))
  np.testing.assert_array_equal(found.numbers["factors"], factors)
  assert found.numbers["codes"].dtype == np.float32
  assert found.names == ["a", "b"]
  assert found.dtypes == {"codes": "float64", "factors": "float64", "names": "<U1"}
  assert found.shapes == {"codes": (7, 3), "factors": (7, 2), "names": (2,)}
  assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("dtype", ["<i2", ">f8", "<f2", "|b1", "|u1", ">i4"])
def test_npy_of_any_numbers(dtype, tmp_path):
  codes = (4 * CODES).astype(dtype)
  np.save(tmp_path / "a.npy", codes)
  found = Arrays.read(tmp_path / "a.npy").numbers["codes"]
  np.testing.assert_array_equal(found, codes.astype(np.float32))


def test_what_is_not_numbers_is_described(tmp_path):
  np.savez(tmp_path / "a.npz", codes=np.array([["x"]]), factors=np.zeros(3, "c8"))
  found = Arrays.read(tmp_path / "a.npz")
  assert found.dtypes == {"codes": "<U1", "factors": "complex64"}
  assert found.numbers == {}


def refused(path, limits=None):
  with pytest.raises(ModelError) as caught:
    Arrays.read(path, limits)
  text = str(caught.value)
  assert text.startswith(str(path)) and text.isprintable()
  return text


def test_objects_are_not_unpickled(tmp_path):
  class Trap:
    def __reduce__(self):
      return open, (str(tmp_path / "trapped"), "w")

  np.savez(tmp_path / "a.npz", codes=np.array([[Trap()]], dtype=object))
  assert "objects, not numbers" in refused(tmp_path / "a.npz")
  assert not (tmp_path / "trapped").exists()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_bomb_of_another_method(method, tmp_path):
  path = tmp_path / "a.npz"
  with zipfile.ZipFile(path, "w", method) as archive:
    archive.writestr("codes.npy", bytes(2**26))
  before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
  assert "another method than deflate" in refused(path)
  # Kilobytes: the evaluator itself unpacked nothing.
  assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**14


def test_a_bomb_of_zeros(tmp_path):
  """The header is correct, and the array too large: the memory limit stops it."""
  path = tmp_path / "a.npz"
  header = np.lib.format.header_data_from_array_1_0(np.zeros((2**18, 512), "f4"))
  with (
    zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    archive.open("codes.npy", "w", force_zip64=True) as member,
  ):
    np.lib.format.write_array_header_1_0(member, header)
    for _ in range(512):
      member.write(bytes(2**20))
  assert path.stat().st_size < 2**22
  assert "--limit_memory_gib" in refused(path, Limits(memory_gib=0.25))


def test_a_promise_that_the_file_does_not_keep(tmp_path):
  np.save(tmp_path / "a.npy", CODES)
  content = (tmp_path / "a.npy").read_bytes()
  (tmp_path / "a.npy").write_bytes(content[:-1])
  assert "ends too early" in refused(tmp_path / "a.npy")
  (tmp_path / "a.npy").write_bytes(content.replace(b"(7, 3)", b"(9**9,)"))
  assert "cannot be read" in refused(tmp_path / "a.npy")
  (tmp_path / "a.npy").write_bytes(content.replace(b"(7, 3)", b"(7,30)"))
  assert "does not fit" in refused(tmp_path / "a.npy")
  (tmp_path / "a.npy").write_bytes(content.replace(b"(7, 3)", b"(-7,3)"))
  assert "cannot be read" in refused(tmp_path / "a.npy")


@pytest.mark.parametrize("name", ["a.npz", "a.npy"])
@pytest.mark.parametrize("kind", ["zip of a text", "npy", "text", "empty"])
def test_files_under_another_name(name, kind, tmp_path):
  path = tmp_path / name
  if kind == "zip of a text":
    with zipfile.ZipFile(path, "w") as archive:
      archive.writestr("codes.npy", "no array")
  elif kind == "npy":
    with open(path, "wb") as file:
      np.save(file, CODES)
  else:
    path.write_text("text" * (kind == "text"))
  if (name, kind) == ("a.npy", "npy"):
    assert Arrays.read(path).shapes == {"codes": (7, 3)}
  else:
    assert "it cannot be read" in refused(path)


def test_very_many_members(tmp_path):
  with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
    for number in range(10_001):
      archive.writestr(f"{number}", b"")
  assert "more than 10,000 files" in refused(tmp_path / "a.npz")


def test_a_link_is_followed_for_the_user(tmp_path):
  np.save(tmp_path / "a.npy", CODES)
  (tmp_path / "b.npy").symlink_to(tmp_path / "a.npy")
  assert Arrays.read(tmp_path / "b.npy").shapes == {"codes": (7, 3)}


def described(**arrays):
  description = {"arrays": arrays, "names": None}
  content = json.dumps(description).encode()
  return f"{len(content)}\n".encode() + content


NUMBERS = {"dtype": "float32", "shape": [7, 3], "numbers": True}
TAKEN_OVER = {
  "more than fits": (
    described(codes={**NUMBERS, "shape": [2**40, 2**20]}),
    "more than 268,435,456 numbers",
  ),
  "a negative shape": (described(codes={**NUMBERS, "shape": [-2, -4]}), "more than"),
  "a text for a shape": (described(codes={**NUMBERS, "shape": "ab"}), "nonsense"),
  "fewer numbers": (described(codes=NUMBERS) + bytes(80), "took more than 2 s"),
  "a list": (b"2\n[]", "nonsense"),
}


@pytest.mark.parametrize("case", TAKEN_OVER)
def test_a_process_that_was_taken_over(case, tmp_path, monkeypatch):
  content, words = TAKEN_OVER[case]
  np.save(tmp_path / "a.npy", CODES)
  program = tmp_path / "python"
  program.write_text(
    f"#!{sys.executable}\nimport sys, time\nsys.stdin.buffer.readline()\n"
    f"sys.stdout.buffer.write(b'{{}}\\n' + {content!r})\n"
    "sys.stdout.buffer.flush()\ntime.sleep(60)\n"
  )
  program.chmod(0o700)
  monkeypatch.setattr(sys, "executable", str(program))
  assert words in refused(tmp_path / "a.npy", Limits(seconds=2))


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
    "from disentangle_tf.foreign.sandbox import child\n"
    "from disentangle_tf.foreign.scan import scan_in_child\n"
    "def tell(kind, path):\n"
    "  found = original(kind, path)\n"
    "  try:\n"
    "    open('/etc/hostname').read()\n"
    "    found['kind'] = 'reads others files'\n"
    "  except OSError as error:\n"
    "    found['kind'] = error.strerror\n"
    "  large = [m for m in ('keras', 'tensorflow.python') if m in sys.modules]\n"
    "  return {**found, 'tags': large}\n"
    "original, scan_in_child.look_at = scan_in_child.look_at, tell\n"
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


LOOK_TAKEN_OVER = {
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


@pytest.mark.parametrize("case", LOOK_TAKEN_OVER)
def test_a_look_that_was_taken_over(case, path, tmp_path, monkeypatch):
  content, words = LOOK_TAKEN_OVER[case]
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
