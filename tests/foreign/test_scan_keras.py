import json
import warnings
import zipfile

import keras
import pytest
from foreign_models import Encoder, write_keras
from shared_checks import tiny_model

from disentangle_tf.foreign import scan_keras
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.model_error import ModelError

SHAPE = (8, 8, 2)
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
  "a type": (
    {"module": "keras.layers", "class_name": "__typespec__"},
    "code or data, keras.layers.__typespec__",
  ),
  "a list": ({"module": ["os"], "class_name": ["system"]}, "is not Keras' own"),
  "control characters": (
    {"module": "os\x1b[2J\n", "class_name": "system"},
    "the class os [2J .system is not",
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
    ForeignModel(saved)


def test_a_file_that_unpacks_to_much(saved, monkeypatch):
  with zipfile.ZipFile(saved, "a", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("zeros", bytes(2**24))
  monkeypatch.setattr(scan_keras, "_MOST_BYTES", 2**24)
  assert saved.stat().st_size < 2**18
  with pytest.raises(ModelError, match="unpacks to more than 16,777,216 bytes"):
    ForeignModel(saved)


@pytest.mark.parametrize("content", [b"", b"garbage" * 99, b"PK\x05\x06" + bytes(18)])
def test_garbage(content, tmp_path):
  (tmp_path / "m.keras").write_bytes(content)
  with pytest.raises(ModelError, match="no .keras file"):
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
  "options",
  [{"flag": 1}, {"method": 99}, {"method": 8}, {"method": 12}, {"method": 14}],
)
def test_a_damaged_archive(options, saved):
  rewrite(saved, None)
  damage(saved, **options)
  with pytest.raises(ModelError, match="no .keras file"):
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
