import json
import pathlib
import shutil
import warnings
import zipfile

import keras
import numpy as np
import pytest
from foreign_models import Encoder, write_keras
from shared_checks import tiny_model

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.scan import scan_keras
from disentangle_tf.foreign.scan.scan_in_child import look_at

SHAPE = (8, 8, 2)
GOLDEN = pathlib.Path(__file__).parents[2] / "golden/foreign"
layers = keras.layers


@keras.saving.register_keras_serializable("theirs")
class Mine(keras.layers.Layer):
  """A class that only its author has."""

  def call(self, x):
    return x


def save(path, *inner):
  model = keras.Sequential([keras.Input(SHAPE), *inner, layers.Flatten()])
  model.save(path)
  return path


def rewrite(path, changed, **added):
  """Writes a file again with another config.json, and with more files."""
  with zipfile.ZipFile(path) as archive:
    files = {name: archive.read(name) for name in archive.namelist()}
  if changed is not None:
    files["config.json"] = json.dumps(changed(json.loads(files["config.json"])))
  with zipfile.ZipFile(path, "w") as archive:
    for name, content in (files | added).items():
      archive.writestr(name, content)
  return path


@pytest.fixture
def saved(tmp_path):
  return save(tmp_path / "model.keras")


def assert_refused(path, *words):
  with ForeignModel(path) as model:
    findings = list(map(str, model.verdict.findings))
    assert any(all(word in f for word in words) for f in findings), findings
    with pytest.raises(ModelError, match="^refused: "):
      model.open(SHAPE)


def test_a_lambda(tmp_path):
  path = save(tmp_path / "m.keras", layers.Lambda(lambda x: x, output_shape=SHAPE))
  assert_refused(path, "the layer keras.layers.Lambda is not on the list")
  assert_refused(path, "code or data", "__lambda__")


def test_a_custom_class(tmp_path):
  assert_refused(save(tmp_path / "m.keras", Mine()), "the custom class", "Mine")
  assert_refused(tmp_path / "m.keras", ": ask for a SavedModel")


def first_code(path, **options):
  """The first number of the code of a white image."""
  with ForeignModel(path) as model:
    model.open(SHAPE, **options)
    return float(model.encode(np.ones((1, *SHAPE)))[0][0, 0])


def test_trusted_opens_what_is_refused(tmp_path):
  double = layers.Lambda(lambda x: 2 * x, output_shape=SHAPE)
  path = save(tmp_path / "m.keras", double)
  with pytest.raises(ModelError, match="^refused: .*Lambda"):
    first_code(path)
  assert first_code(path, trusted=True) == 2.0


def test_trusted_cannot_open_what_tells_nothing(tmp_path):
  class Own(keras.Model):
    def call(self, x):
      return keras.ops.mean(x, axis=(1, 2))

  model = Own()
  model(np.ones((1, *SHAPE)))
  model.save(tmp_path / "m.keras")
  assert_refused(tmp_path / "m.keras", "Own")
  with pytest.raises(ModelError, match=r"does not state.*model.export\(\).*ONNX"):
    first_code(tmp_path / "m.keras", trusted=True)


def test_a_custom_activation(tmp_path):
  def bend(x):
    return x

  path = save(tmp_path / "m.keras", layers.Dense(2, activation=bend))
  assert_refused(path, "code or data, builtins.function")


def other_class(**values):
  def change(config):
    config["config"]["layers"][-1] = {"registered_name": None, "config": {}, **values}
    return config

  return change


CLASSES = {
  "TFSMLayer": (
    {"module": "keras.layers", "class_name": "TFSMLayer"},
    "the layer keras.layers.TFSMLayer is not on the list",
  ),
  "StringLookup": (
    {"module": "keras.layers", "class_name": "StringLookup"},
    "the layer keras.layers.StringLookup is not on the list",
  ),
  "os.system": (
    {"module": "os", "class_name": "system"},
    "the class os.system is not Keras' own",
  ),
  "no module": ({"class_name": "Dense"}, "the class None.Dense is not Keras' own"),
  "a function": (
    {"module": "keras.utils", "class_name": "function", "config": "get_file"},
    "code or data, keras.utils.function",
  ),
  "a part that is no part": (
    {"module": "keras.saving", "class_name": "load_model"},
    "the class keras.saving.load_model is not Keras' own",
  ),
  "anything of Keras": (
    {"module": "keras", "class_name": "Variable"},
    "the class keras.Variable is not Keras' own",
  ),
  "a function among the parts": (
    {"module": "keras.optimizers", "class_name": "deserialize"},
    "the class keras.optimizers.deserialize is not Keras' own",
  ),
  "an operation that calls functions": (
    {"module": "keras.src.ops.core", "class_name": "Map", "registered_name": "Map"},
    "the operation keras.src.ops.core.Map is not on the list",
  ),
  "an operation of elsewhere": (
    {"module": "keras.src.utils.file_utils", "class_name": "Split"},
    "the class keras.src.utils.file_utils.Split is not Keras' own",
  ),
  "a function of TensorFlow": (
    {
      "module": "tf_keras.src.layers.core.tf_op_layer",
      "class_name": "TFOpLambda",
      "config": {"function": "io.write_file"},
    },
    "the function tf.io.write_file is not on the list",
  ),
  "a function of TensorFlow that is none": (
    {
      "module": "keras.src.layers.core.tf_op_layer",
      "class_name": "SlicingOpLambda",
      "config": ["__operators__.getitem"],
    },
    "the function tf.None is not on the list",
  ),
  "a type": (
    {"module": "keras.layers", "class_name": "__typespec__"},
    "code or data, keras.layers.__typespec__",
  ),
  "a list": ({"module": ["os"], "class_name": ["system"]}, "is not Keras' own"),
  "control characters": (
    {"module": "os\x1b[2J\n", "class_name": "system"},
    r"the class os\x1b[2J .system is not",
  ),
  "disguise": (
    {
      "module": "keras.layers",
      "class_name": "Dense",
      "registered_name": "theirs>Mine",
    },
    "the custom class keras.layers.Dense",
  ),
}


@pytest.mark.parametrize("case", CLASSES)
def test_an_edited_class(case, saved):
  values, words = CLASSES[case]
  assert_refused(rewrite(saved, other_class(**values)), words)


def test_a_class_deep_inside(saved):
  def change(config):
    deep = {"class_name": "system", "module": "os", "config": "true"}
    config["config"]["layers"][0]["config"]["dtype"] = {"a": [{"b": [deep]}]}
    return config

  assert_refused(rewrite(saved, change), "the class os.system is not Keras' own")


EVIL = {"class_name": "system", "module": "os", "config": {"command": "true"}}


@keras.saving.register_keras_serializable("theirs")
class Alarm(keras.losses.Loss):
  """Counts how often it is made."""

  made = 0

  def __init__(self, **options):
    super().__init__(**options)
    Alarm.made += 1

  def call(self, expected, found):
    return keras.ops.mean(expected - found)


def test_how_it_was_compiled_is_never_loaded(saved):
  alarm = keras.saving.serialize_keras_object(Alarm())
  made = Alarm.made

  def change(config):
    return config | {"compile_config": {"loss": alarm, "optimizer": EVIL}}

  assert first_code(rewrite(saved, change), trusted=True) == 1.0
  assert Alarm.made == made
  assert_allowed(saved)


def test_how_a_part_was_compiled_is_loaded(tmp_path):
  """It is scanned: `compile=False` skips only how the whole model was compiled."""
  inner = keras.Sequential([keras.Input(SHAPE), layers.ReLU()])
  inner.compile("adam", Alarm())
  path = save(tmp_path / "m.keras", inner)
  made = Alarm.made
  assert_refused(path, "the custom class", "Alarm")
  assert Alarm.made == made
  assert first_code(path, trusted=True) == 1.0
  assert Alarm.made > made


def test_too_many_levels(saved):
  def change(config):
    for _ in range(200):
      config = [config]
    return {"config": config}

  assert_refused(rewrite(saved, change), "more than 100 levels")


@pytest.mark.parametrize("name", ["assets/words.txt", "../../evil", "evil\x1b[2J.py"])
def test_a_file_that_does_not_belong_there(name, saved):
  rewrite(saved, None, **{name: b"x"})
  assert_refused(saved, "a file that does not belong there", "the archive")


def test_a_file_twice(saved):
  with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with zipfile.ZipFile(saved, "a") as archive:
      archive.writestr("config.json", archive.read("config.json"))
  assert_refused(saved, "does not belong there, config.json")


def test_very_many_files(saved):
  rewrite(saved, None, **{f"file{number}": b"" for number in range(1000)})
  with ForeignModel(saved) as model:
    assert len(model.verdict.findings) == 21
    assert "980 more" in model.verdict.to_text()


@pytest.mark.parametrize("limit", ["_MOST_BYTES", "_MOST_CONFIG_BYTES"])
def test_a_bomb(limit, saved, monkeypatch):
  monkeypatch.setattr(scan_keras, limit, 100)
  with pytest.raises(ModelError, match="refused: it.* than 100 bytes"):
    look_at("keras", saved)


def test_a_file_that_unpacks_to_much(saved):
  with zipfile.ZipFile(saved, "a", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("zeros", bytes(2**24))
    archive.getinfo("zeros").file_size = 2**33
  assert saved.stat().st_size < 2**18
  with pytest.raises(ModelError, match="unpacks to more than 4,294,967,296 bytes"):
    ForeignModel(saved)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_that_cannot_be_cut_short(method, saved):
  # Reading one byte of it unpacks all of it.
  with zipfile.ZipFile(saved, "a", method) as archive:
    archive.writestr("zeros", bytes(2**24))
  with pytest.raises(ModelError, match="refused: it is packed with another method"):
    ForeignModel(saved)


@pytest.mark.parametrize("content", [b"", b"garbage" * 99, b"PK\x05\x06" + bytes(18)])
def test_garbage(content, tmp_path):
  (tmp_path / "m.keras").write_bytes(content)
  with pytest.raises(ModelError, match="not a .keras file|is empty"):
    ForeignModel(tmp_path / "m.keras")


def damage(path, method=None, flag=None):
  """Changes how the directory of an archive says that config.json is stored."""
  content = bytearray(path.read_bytes())
  local = content.index(b"config.json") - 30
  central = content.rindex(b"config.json") - 46
  if method is not None:
    content[local + 8] = content[central + 10] = method
  if flag is not None:
    content[local + 6] = content[central + 8] = flag
  path.write_bytes(content)


@pytest.mark.parametrize(
  ("options", "words"),
  [
    ({"flag": 1}, "not a .keras file"),
    ({"method": 8}, "not a .keras file"),
    ({"method": 12}, "packed with another method"),
    ({"method": 14}, "packed with another method"),
    ({"method": 99}, "packed with another method"),
  ],
)
def test_a_damaged_archive(options, words, saved):
  rewrite(saved, None)
  damage(saved, **options)
  with pytest.raises(ModelError, match=words):
    ForeignModel(saved)


def no_layers(config):
  del config["config"]["layers"]
  return config


def no_input_config(config):
  del config["config"]["layers"][0]["config"]
  return config


def input_shape(shape):
  def change(config):
    config["config"]["layers"][0]["config"]["batch_shape"] = shape
    return config

  return change


SHAPELESS = {
  "a list": lambda config: [],
  "a number": lambda config: 3,
  "nothing": lambda config: {},
  "no layers": no_layers,
  "layers that are none": lambda config: {"config": {"layers": [1]}},
  "no config of the input": no_input_config,
  "text as shape": input_shape("\x1b[2J"),
  "text as size": input_shape([None, "\x1b[2J", 8, 2]),
  "number as shape": input_shape(3),
  "no input": lambda config: {"config": {"layers": []}},
}


@pytest.mark.parametrize("case", SHAPELESS)
def test_a_config_that_describes_no_model(case, saved):
  rewrite(saved, SHAPELESS[case])
  with pytest.raises(ModelError, match="it is no|as Keras does|has 0 inputs"):
    ForeignModel(saved)


def assert_allowed(path):
  with ForeignModel(path) as model:
    assert model.verdict.allowed, model.verdict.to_text()
    assert model.verdict.looked_at["objects"] > 0
    return model.offers[0]


def test_allows_an_encoder(tmp_path):
  offer = assert_allowed(write_keras(tmp_path / "m.keras", Encoder(tiny_model())))
  assert offer.inputs[0].shape == (None, *SHAPE)
  assert [tensor.name for tensor in offer.outputs] == ["mean", "log_variance"]


def test_allows_what_encoders_are_made_of(tmp_path):
  parts = [
    layers.Rescaling(1 / 255),
    layers.Conv2D(
      4, 3, activation="relu", kernel_regularizer=keras.regularizers.L2(1e-4)
    ),
    layers.BatchNormalization(beta_constraint=keras.constraints.NonNeg()),
    layers.LeakyReLU(),
    layers.Activation(keras.activations.gelu),
    layers.Dropout(0.1),
    layers.Conv2DTranspose(4, 3, kernel_initializer=keras.initializers.HeNormal()),
    keras.Sequential([layers.MaxPooling2D(), layers.ReLU()]),
    layers.GlobalAveragePooling2D(),
    layers.Dense(3, dtype="mixed_bfloat16"),
  ]
  offer = assert_allowed(save(tmp_path / "m.keras", *parts))
  assert [tensor.name for tensor in offer.outputs] == ["output_0"]


def test_allows_several_outputs(tmp_path):
  images = keras.Input(SHAPE)
  flat = layers.Flatten()(images)
  keras.Model(images, [layers.Dense(2)(flat), layers.Dense(2)(flat)]).save(
    tmp_path / "m.keras"
  )
  offer = assert_allowed(tmp_path / "m.keras")
  assert [tensor.name for tensor in offer.outputs] == ["output_0", "output_1"]


def everyday(images):
  """The parts of functional models: operations, attention, recurrence."""
  ops = keras.ops
  both = layers.Dense(6, kernel_initializer="ones")(layers.Flatten()(images))
  mean, log_variance = ops.split(both, 2, axis=-1)
  rows = layers.Reshape((8, 16))(images)
  sequence = layers.Bidirectional(layers.LSTM(2, return_sequences=True))(rows)
  cells = layers.RNN([layers.GRUCell(3), layers.SimpleRNNCell(2)])
  inner = keras.Sequential([layers.Dense(2), layers.ReLU()])
  inner.compile(keras.optimizers.Adam(1e-3), "mse", metrics=["mae"])
  return {
    "mean": mean - 2.0 * ops.mean(images, axis=(1, 2, 3), keepdims=True)[:, 0, 0],
    "sliced": both[..., 3:] + np.ones(3, np.float32),
    "variance": ops.clip(ops.exp(log_variance), 0.0, 9.0),
    "root": ops.sqrt(ops.square(ops.where(mean > 0, mean, ops.zeros_like(mean)))),
    "joined": ops.reshape(ops.concatenate([mean, mean], axis=1), (-1, 6)),
    "attention": layers.Flatten()(layers.MultiHeadAttention(2, 4)(rows, rows)),
    "mixed": layers.Flatten()(layers.Attention()([rows, rows])),
    "last": layers.GRU(3)(rows),
    "cells": cells(rows),
    "each": layers.Flatten()(layers.TimeDistributed(layers.Dense(1))(sequence)),
    "crop": layers.Flatten()(layers.CenterCrop(4, 4)(layers.RandomFlip()(images))),
    "table": layers.Embedding(2, 3)(ops.cast(images[:, 0, 0, 0], "int32")),
    "inner": inner(layers.Flatten()(images)),
  }


def test_everyday_models(tmp_path):
  images = keras.Input(SHAPE, name="images")
  outputs = everyday(images)
  model = keras.Model(images, outputs)
  model.compile(keras.optimizers.Adam(1e-3), loss={"mean": "mse"})
  model.save(tmp_path / "m.keras")
  offer = assert_allowed(tmp_path / "m.keras")
  assert [tensor.name for tensor in offer.outputs] == list(outputs)
  expected = float(np.asarray(model(np.ones((1, *SHAPE)))["mean"])[0, 0])
  assert expected == 126.0
  for trusted in (False, True):
    assert first_code(tmp_path / "m.keras", trusted=trusted) == expected


def test_several_inputs(tmp_path):
  images, labels = keras.Input(SHAPE, name="images"), keras.Input([3], name="labels")
  both = layers.Concatenate()([layers.Flatten()(images), labels])
  keras.Model([images, labels], layers.Dense(2)(both)).save(tmp_path / "m.keras")
  offer = assert_allowed(tmp_path / "m.keras")
  assert [tensor.name for tensor in offer.inputs] == ["images", "labels"]
  with pytest.raises(UserError, match="a value in the argument inputs: labels=VALUE"):
    first_code(tmp_path / "m.keras")


@pytest.mark.parametrize("module", ["keras.engine.functional", "keras.src.engine"])
def test_a_keras_that_is_too_old(module, tmp_path):
  """Written before TensorFlow 2.13: no library that is installed can load it."""
  path = tmp_path / "m.keras"
  shutil.copy(GOLDEN / "keras_2_functional.keras", path)

  def change(config):
    return config | {"module": module}

  assert_refused(rewrite(path, change), f"the class {module}.Functional is not", "ask")
