"""The Python of the documents runs, with what a reader has by then."""

import ast
import importlib.util
import re
import shutil

import numpy as np
import pytest
from command_calls import ROOT, binding_flags, call
from documented_commands import DOCUMENTS, blocks

from disentangle_tf.commands import evaluate

# Lines that are left out: {document: {line: reason}}.
LEFT_OUT = {
  "docs/data.md": {
    'data = FactorTable.from_tfds("smallnorb", labels=("label_category", '
    '"label_azimuth"))': "needs a download",
  },
}
# Frameworks of other teams; without them a block is only parsed.
OF_OTHERS = {"torch", "jax", "jax2onnx", "skl2onnx"}
SHORTER = {"README.md": [("dataset(0, 2000)", "dataset(0, 2)")]}

BLOCKS = [block for file in DOCUMENTS for block in blocks(file, "python")]
NAMES = [f"{block.file}:{block.line}" for block in BLOCKS]


def _missing(block):
  """Modules of others that a block imports and that are not installed."""
  tops = set()
  for node in ast.walk(ast.parse(block.text)):
    if isinstance(node, ast.Import):
      tops |= {alias.name.split(".")[0] for alias in node.names}
    elif isinstance(node, ast.ImportFrom):
      tops.add(node.module.split(".")[0])
  return {top for top in tops if importlib.util.find_spec(top) is None}


@pytest.mark.parametrize("block", BLOCKS, ids=NAMES)
def test_it_is_python_that_imports_only_what_is_installed(block):
  assert _missing(block) <= OF_OTHERS


def test_the_tables_speak_of_blocks_that_are_documented():
  texts = {
    file: "".join(b.text for b in BLOCKS if b.file == file) for file in DOCUMENTS
  }
  for file, lines in LEFT_OUT.items():
    assert all(line in texts[file] for line in lines)
  for file, pairs in SHORTER.items():
    assert all(text in texts[file] for text, _ in pairs)
  imported = set(re.findall(r"^(?:import|from) (\w+)", "".join(texts.values()), re.M))
  assert imported >= OF_OTHERS


def _run(block, names):
  """Executes a block with the names that it takes for given; its names afterwards."""
  text = block.text
  for line in LEFT_OUT.get(block.file, ()):
    text = text.replace(line, "")
  for old, new in SHORTER.get(block.file, ()):
    text = text.replace(old, new)
  names = {"__name__": "documented", **names}
  exec(compile(text, f"{block.file}:{block.line}", "exec"), names)
  return names


def _of(file):
  return [block for block in BLOCKS if block.file == file and not _missing(block)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
  """An empty folder, which is the current one."""
  monkeypatch.chdir(tmp_path)
  return tmp_path


def test_metrics_of_arrays(folder, capsys):
  (block,) = _of("docs/metrics.md")
  draw = np.random.default_rng(0)
  factors = [np.stack([draw.integers(3, size=200), draw.integers(32, size=200)], 1)] * 2
  codes = [each + 0.01 * draw.normal(size=each.shape) for each in factors]
  names = ("codes", "test_codes", "factors", "test_factors")
  given = dict(zip(names, codes + factors, strict=True))
  _run(block, {**given, "codes_of": lambda factors: np.asarray(factors, np.float64)})


def test_a_table_of_ones_own(folder):
  images = np.random.default_rng(0).random((6, 8, 8, 1), np.float32)
  factors = np.indices((2, 3)).reshape(2, -1).T
  np.savez("mine.npz", images=images, factors=factors)
  (block,) = _of("docs/data.md")
  data = _run(block, {"images": images, "factors": factors})["data"]
  np.testing.assert_allclose(data.observe(factors), images, atol=1e-6)


def test_medians_of_a_results_table(folder, capsys):
  (folder / "runs" / "figure_9").mkdir(parents=True)
  table = ROOT / "docs" / "results" / "michlo" / "figure_9" / "results.parquet"
  shutil.copy(table, folder / "runs" / "figure_9")
  (block,) = _of("docs/studies.md")
  _run(block, {})
  assert "Ada-GVAE" in capsys.readouterr().out


@pytest.mark.slow
def test_the_library_without_gin(folder):
  names = _run(_of("README.md")[0], {})
  assert names["model"].optimizer.iterations == 2


def _keras_networks():
  import keras

  images = keras.Input((16, 16, 2), name="images")
  flat = keras.layers.Flatten()(images)
  encoder = keras.Model(images, [keras.layers.Dense(6)(flat) for _ in range(2)])
  codes = keras.Input((6,))
  pixels = keras.layers.Dense(16 * 16 * 2)(codes)
  decoder = keras.Model(codes, keras.layers.Reshape((16, 16, 2))(pixels))
  return {"encoder": encoder, "decoder": decoder}


def _graph():
  """The placeholders and tensors of a graph of TensorFlow 1."""
  import tensorflow.compat.v1 as tf

  images = tf.placeholder(tf.float32, [None, 16, 16, 2])
  keep_prob = tf.placeholder(tf.float32, [])
  codes = tf.placeholder(tf.float32, [None, 6])
  flat = keep_prob * tf.reshape(images, [-1, 512])
  weights = [tf.Variable(tf.random.normal([512, 6]) / 30) for _ in range(2)]
  pixels = tf.Variable(tf.random.normal([6, 512]))
  logits = tf.reshape(codes @ pixels, [-1, 16, 16, 2])
  session = tf.Session()
  session.run(tf.global_variables_initializer())
  names = {"images": images, "keep_prob": keep_prob, "codes": codes, "logits": logits}
  spread = {"mean": flat @ weights[0], "log_variance": flat @ weights[1]}
  return {**names, **spread, "session": session}


# What a recipe writes, and flags that docs/evaluating.md names: {word of it: ...}.
RECIPES = {
  'save(\n  "model.keras"': ("model.keras", []),
  "ExportArchive": ("model", []),
  "get_concrete_function": ("model", ["--decoder_output", "logits"]),
  "compat.v1": ("model", ["--input", "keep_prob=1", "--decoder_output", "logits"]),
  "np.save": ("model.npy", []),
}


def test_every_recipe_is_tried():
  texts = [block.text for block in _of("docs/evaluating.md")]
  assert [sum(word in text for text in texts) for word in RECIPES] == [1] * len(RECIPES)
  assert len(texts) == len(RECIPES)


@pytest.mark.slow
@pytest.mark.parametrize("word", RECIPES, ids=lambda word: word.split("\n")[0])
def test_what_a_recipe_writes_is_scored(word, folder):
  import tensorflow as tf

  written, flags = RECIPES[word]
  (block,) = (block for block in _of("docs/evaluating.md") if word in block.text)
  if word == "compat.v1":
    with tf.Graph().as_default():
      _run(block, _graph())
  elif word == "np.save":
    _run(block, {"encode": lambda images: np.reshape(images, [len(images), -1])[:, :6]})
  else:
    _run(block, _keras_networks())
  words = ["--model", written, "--data", "xysquares_small", "--output_dir", "scores"]
  few = ("evaluation.evaluate.num_points=60", "evaluation.evaluate.num_test_points=60")
  assert call(evaluate.main, *words, *flags, *binding_flags(*few)) == 0
