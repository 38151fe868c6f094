"""Models that other libraries wrote, by the scripts in golden/foreign."""

import pathlib

import numpy as np
import pytest

from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.interface.reading import Reading

GOLDEN = pathlib.Path(__file__).parents[1] / "golden/foreign"
# Who made it: {model: names of its mean and log-variance, if they do not tell}.
MODELS = {
  "torch": {
    "torch_default.onnx": ("getitem_3", "getitem_4"),
    "torch_script.onnx": ("16", "17"),
    "torch_attention.onnx": ("getitem", "getitem_1"),
    "onnxscript.onnx": (),
  },
  "sklearn": {"sklearn_pca.onnx": (), "sklearn_forest.onnx": ()},
  "jax_native": {"jax_native": ()},
  "jax_old": {"jax_old": ()},
  "jax_graph": {"jax_graph": ()},
  "jax_xla": {"jax_xla": ()},
  "hub": {"hub": ()},
  "keras_2": {
    "keras_2.keras": (),
    "keras_2_functional.keras": ("output_0", "output_1"),
  },
}
CASES = [(maker, model) for maker, models in MODELS.items() for model in models]


def assert_codes(maker, name, *, trusted):
  names = MODELS[maker][name]
  reading = Reading()
  if names:
    reading = Reading(output_key=(names[0], f"log_variance={names[1]}"))
  with ForeignModel(GOLDEN / name) as model, np.load(GOLDEN / f"{maker}.npz") as arrays:
    assert model.verdict.allowed, model.verdict.to_text()
    model.open((8, 8, 1), trusted=trusted, reading=reading)
    found = model.encode(arrays["images"])
    codes = np.concatenate([part for part in found if part is not None], axis=1)
    np.testing.assert_allclose(codes, arrays[name], rtol=1e-4, atol=1e-5)
    return model


@pytest.mark.parametrize(("maker", "name"), CASES)
def test_codes_are_the_makers_own(maker, name):
  assert_codes(maker, name, trusted=True)


@pytest.mark.parametrize("name", ["torch_default.onnx", "jax_native", "keras_2.keras"])
def test_codes_in_the_confined_process(name):
  maker = next(maker for maker, model in CASES if model == name)
  model = assert_codes(maker, name, trusted=False)
  assert "network" in model.sandbox


def test_data_beside_the_file_is_hashed():
  with ForeignModel(GOLDEN / "torch_default.onnx") as model:
    assert list(model.sha256) == ["torch_default.onnx", "torch_default.onnx.data"]
