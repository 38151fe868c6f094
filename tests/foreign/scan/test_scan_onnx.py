import numpy as np
import onnx
import pytest
from foreign_models import Encoder, write_onnx
from onnx import helper, numpy_helper
from onnx_files import REAL, external, node, write_data, write_encoder, write_sum
from shared_checks import tiny_model

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.scan import scan_onnx
from disentangle_tf.foreign.scan.scan_in_child import look_at

SHAPE = (8, 8, 2)


def branch(op, **options):
  output = helper.make_tensor_value_info("out", REAL, None)
  return helper.make_graph([node(op, (), ["out"], **options)], "branch", [], [output])


def function(domain, name, nodes, **options):
  return helper.make_function(
    domain,
    name,
    ["images"],
    ["mean"],
    nodes,
    [helper.make_opsetid("", 17)],
    **options,
  )


def assert_refused(path, *words):
  with ForeignModel(path) as model:
    findings = list(map(str, model.verdict.findings))
    assert any(all(word in f for word in words) for f in findings), findings
    with pytest.raises(ModelError, match="^refused: "):
      model.open(SHAPE)


def inner(path, op, **options):
  flat = node("Flatten", outputs=["flat"])
  other = branch("Constant", value_float=1.0)
  choose = node("If", ["flag"], ["mean"], then_branch=branch(op, **options))
  choose.attribute.append(helper.make_attribute("else_branch", other))
  return write_encoder(path, [flat, choose])


def twice_inside(path):
  bad = helper.make_graph([node("Bad", domain="theirs")], "bad", [], [])
  deep = branch("If", then_branch=bad, else_branch=branch("Constant"))
  return write_encoder(path, [node("If", ["flag"], then_branch=deep)])


def default_of_function(path):
  """An operator in the default of a function's attribute, which is in no node."""
  attribute = helper.make_attribute("branch", branch("Bad", domain="theirs"))
  theirs = function("theirs", "Mine", [node("Flatten")], attribute_protos=[attribute])
  return write_encoder(path, [node("Mine", domain="theirs")], functions=[theirs])


def sparse_constant(path):
  sparse = onnx.SparseTensorProto(values=external(), dims=[128])
  sparse.indices.CopyFrom(numpy_helper.from_array(np.zeros(1, np.int64)))
  return write_encoder(
    path, [node("Flatten"), node("Constant", (), ["c"], sparse_value=sparse)]
  )


def training(path):
  model = onnx.load(write_encoder(path, [node("Flatten")]))
  model.training_info.add().algorithm.node.append(node("Bad", domain="theirs"))
  path.write_bytes(model.SerializeToString())
  return path


def call(domain, name, *nodes):
  def make(path):
    theirs = function(domain, name, nodes)
    return write_encoder(path, [node(name, domain=domain)], functions=[theirs])

  return make


HOSTILE = {
  "custom domain": (
    lambda p: write_encoder(p, [node("Flatten"), node("Run", domain="theirs")]),
    "theirs::Run is not an operator of the ONNX standard, in the graph",
  ),
  "operator of the runtime": (
    lambda p: write_encoder(p, [node("Gelu", domain="com.microsoft")]),
    "com.microsoft::Gelu is not an operator",
  ),
  "unknown operator": (
    lambda p: write_encoder(p, [node("Bad")]),
    "Bad is not an operator",
  ),
  "parser": (
    lambda p: write_encoder(p, [node("ImageDecoder")]),
    "ImageDecoder parses files",
  ),
  "dictionaries": (
    lambda p: write_encoder(p, [node("ZipMap", domain="ai.onnx.ml")]),
    "ai.onnx.ml::ZipMap works on texts or dictionaries, in the graph: ask for",
  ),
  "unknown operator of the other domain": (
    lambda p: write_encoder(p, [node("Flatten", domain="ai.onnx.ml")]),
    "ai.onnx.ml::Flatten is not an operator",
  ),
  "another domain of the standard": (
    lambda p: write_encoder(p, [node("Adam", domain="ai.onnx.preview.training")]),
    "ai.onnx.preview.training::Adam is not an operator",
  ),
  "control characters": (
    lambda p: write_encoder(p, [node("Bad\x1b[2J\n")]),
    r"Bad\x1b[2J is not an operator",
  ),
  "branch": (
    lambda p: inner(p, "Bad", domain="theirs"),
    "theirs::Bad",
    "in an inner graph of the graph",
  ),
  "branch in a branch": (twice_inside, "theirs::Bad", "an inner graph of the graph"),
  "function": (
    call("theirs", "Mine", node("Flatten"), node("Bad", domain="evil")),
    "evil::Bad",
    "in function Mine",
  ),
  "default of a function": (default_of_function, "theirs::Bad", "function Mine"),
  "function of the runtime": (
    call("com.microsoft", "Gelu", node("Flatten")),
    "pretends to be a built-in operator",
    "function Gelu",
  ),
  "function of the standard": (
    call("", "Flatten", node("Identity")),
    "pretends to be a built-in operator",
  ),
  "training": (training, "theirs::Bad"),
  "external weights": (
    lambda p: write_encoder(p, [node("Flatten")], constants=[external()]),
    "data in another file, ../../secret, in the graph: ask for one file",
  ),
  "external constant": (
    lambda p: write_encoder(
      p, [node("Flatten"), node("Constant", (), ["c"], value=external())]
    ),
    "data in another file",
    "../../secret",
  ),
  "external sparse constant": (sparse_constant, "data in another file"),
  "external constant of a branch": (
    lambda p: inner(p, "Constant", value=external()),
    "data in another file",
    "an inner graph",
  ),
  "nothing": (lambda p: write_encoder(p, []), "there is no operation"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_refuses(case, tmp_path):
  make, *words = HOSTILE[case]
  assert_refused(make(tmp_path / "model.onnx"), *words)


@pytest.mark.parametrize("content", [b"\xff" * 64, b"PK\x03\x04", b"\x3a\xff\xff\x7fx"])
def test_garbage(content, tmp_path):
  (tmp_path / "model.onnx").write_bytes(content)
  with pytest.raises(ModelError, match="damaged"):
    ForeignModel(tmp_path / "model.onnx")


@pytest.mark.parametrize("name", [b"Flatten", b"images", b"mean", b"encoder"])
def test_names_that_are_no_text(name, tmp_path):
  path = write_encoder(tmp_path / "model.onnx", [node("Flatten")])
  path.write_bytes(path.read_bytes().replace(name, b"\xff" + name[1:]))
  with pytest.raises(ModelError, match="a name in it is not a text"):
    ForeignModel(path)


def test_empty(tmp_path):
  (tmp_path / "model.onnx").write_bytes(b"")
  with pytest.raises(ModelError, match="model.onnx is empty"):
    ForeignModel(tmp_path / "model.onnx")


def weights(value):
  return numpy_helper.from_array(np.full(128, value, np.float32), "weights")


def mean_of(path, **options):
  with ForeignModel(path) as model:
    model.open(SHAPE, **options)
    return float(model.encode(np.zeros((1, *SHAPE)))[0][0, 0])


def test_too_large_to_look_at(tmp_path):
  path = write_sum(tmp_path / "model.onnx", weights(3.0))
  model = onnx.load(path)
  model.graph.doc_string = "x" * 2**26
  onnx.save(model, path)
  assert_refused(path, "more than 67,108,864 bytes beside its weights")
  assert mean_of(path, trusted=True) == 3.0


def test_weights_do_not_count(tmp_path, monkeypatch):
  large = numpy_helper.from_array(np.full((9999, 128), 3.0, np.float32), "large")
  constant = node("Constant", (), ["rows"], value=weights(1.0))
  nodes = [
    node("Flatten", outputs=["flat"]),
    node("ReduceMax", ["large"], ["highest"], axes=[0], keepdims=0),
    node("Add", ["flat", "highest"], ["sum"]),
    node("Add", ["sum", "rows"]),
  ]
  path = write_encoder(tmp_path / "model.onnx", [constant, *nodes], constants=[large])
  monkeypatch.setattr(scan_onnx, "MOST_BYTES", 1000)
  assert look_at("onnx", tmp_path)["verdict"]["findings"] == ()
  assert mean_of(path) == 4.0


@pytest.mark.parametrize("trusted", [False, True])
def test_data_beside_the_file(trusted, tmp_path):
  path = write_data(tmp_path, name="weights of " + "x" * 150)
  assert mean_of(path, trusted=trusted) == 5.0
  with ForeignModel(path) as model:
    assert list(model.sha256) == ["theirs.onnx", "weights of " + "x" * 150]


DATA = {
  "too long": ({"length": "513"}, "data beyond the end of w.bin"),
  "too late": ({"offset": "17"}, "data beyond the end of w.bin"),
  "no number": ({"offset": "-1"}, "data in another file, w.bin"),
  "another entry": ({"basepath": "/etc"}, "data in another file, w.bin"),
  "hidden file": ({"name": ".netrc"}, "data in another file, .netrc"),
}


@pytest.mark.parametrize("case", DATA)
def test_data_that_is_refused(case, tmp_path):
  options, words = DATA[case]
  path = write_data(tmp_path, **options)
  assert_refused(path, words)


def test_two_places(tmp_path):
  """A tensor with two locations is refused, because it is ambiguous."""
  (tmp_path / "a").write_bytes(bytes(512))
  (tmp_path / "b").write_bytes(bytes(512))
  tensor = external("a", length="512")
  tensor.external_data.add(key="location", value="b")
  path = write_sum(tmp_path / "m.onnx", tensor)
  assert_refused(path, "data in another file, b")


@pytest.mark.parametrize(
  "place", ["/etc/passwd", "..", ".", "", "a/b", "a\\b", "*/_ORT_MEM_ADDR_/*", "x\0"]
)
def test_data_elsewhere(place, tmp_path):
  path = write_sum(tmp_path / "m.onnx", external(place, length="0"))
  assert_refused(path, "data in another file")


def test_data_that_is_missing(tmp_path):
  path = write_data(tmp_path)
  (tmp_path / "w.bin").unlink()
  assert_refused(
    path, "data in the file w.bin, which is not beside it", "ask for w.bin"
  )


def test_data_that_is_the_model(tmp_path):
  path = write_sum(tmp_path / "m.onnx", external("m.onnx"))
  assert_refused(path, "data in the file m.onnx, which is not beside it")


def test_allows_scikit_learns_operators(tmp_path):
  nodes = [
    node("Flatten", outputs=["flat"]),
    node("Scaler", ["flat"], domain="ai.onnx.ml", offset=[1.0], scale=[2.0]),
  ]
  path = write_encoder(tmp_path / "m.onnx", nodes, domain="ai.onnx.ml")
  assert_allowed(path)
  assert mean_of(path, trusted=True) == -2.0


def test_an_input_that_is_no_tensor(tmp_path):
  model = onnx.load(write_encoder(tmp_path / "model.onnx", [node("Flatten")]))
  model.graph.input[0].type.sequence_type.elem_type.tensor_type.elem_type = REAL
  (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
  with (
    ForeignModel(tmp_path / "model.onnx") as found,
    pytest.raises(UserError, match="takes no images"),
  ):
    found.open(SHAPE)


def assert_allowed(path):
  with ForeignModel(path) as model:
    assert model.verdict.allowed, model.verdict.to_text()
    assert model.verdict.kind == "ONNX"
    assert model.verdict.looked_at["operations"] > 0
    return model.offers[0]


def test_allows_an_encoder(tmp_path):
  offer = assert_allowed(write_onnx(tmp_path / "m.onnx", Encoder(tiny_model())))
  assert offer.inputs[0].shape == (None, 2, 8, 8)
  assert [tensor.name for tensor in offer.outputs] == ["mean", "log_variance"]


def test_allows_convolutions_noise_and_branches(tmp_path):
  kernel = numpy_helper.from_array(np.zeros([2, 2, 3, 3], np.float32), "kernel")
  nodes = [
    node("Conv", ["images", "kernel"], ["a"], pads=[1] * 4),
    node("LeakyRelu", ["a"], ["b"]),
    node("RandomNormalLike", ["b"], ["c"]),
    node("Dropout", ["c"], ["d"]),
    node("Constant", (), ["flag"], value_int=1),
    node("Flatten", ["d"]),
  ]
  assert_allowed(write_encoder(tmp_path / "m.onnx", nodes, constants=[kernel]))


def test_allows_functions_of_standard_operators(tmp_path):
  assert_allowed(call("theirs", "Mine", node("Flatten"))(tmp_path / "m.onnx"))


@pytest.mark.parametrize("size", [0, -1])
def test_sizes_that_are_none(size, tmp_path):
  path = write_encoder(tmp_path / "m.onnx", [node("Flatten")], batch=size)
  assert assert_allowed(path).inputs[0].shape == (None, 2, 8, 8)
