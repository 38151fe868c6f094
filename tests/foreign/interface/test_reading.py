import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.reading import Reading

FLAGS = dict.fromkeys(
  (
    "signature",
    "input_key",
    "output_key",
    "input_range",
    "layout",
    "resize",
    "inputs",
    "decoder",
    "decoder_output",
  )
)


def test_reading_from_flags():
  assert Reading.from_flags(**FLAGS) == Reading()
  found = Reading.from_flags(
    **FLAGS | {"layout": "nchw", "resize": "64x48", "input_range": "-1, 1e0"}
  )
  assert found == Reading(layout="NCHW", resize=(64, 48), input_range=(-1.0, 1.0))
  assert Reading.from_flags(**FLAGS | {"resize": "64"}).resize == (64, 64)
  found = Reading.from_flags(**FLAGS | {"decoder": "p", "decoder_output": "logits"})
  assert found == Reading(decoder="p", decoder_output="logits")


def test_values_of_inputs():
  texts = ["keep_prob=1", "a=b=-.5", "training=True", "test=false"]
  found = Reading.from_flags(**FLAGS | {"inputs": texts})
  assert found.values == {"keep_prob": 1, "a=b": -0.5, "training": True, "test": False}
  assert found.values["training"] is True


@pytest.mark.parametrize("flag", ["input_range", "decoder_output"])
def test_standardised(flag):
  reading = Reading.from_flags(**FLAGS | {flag: "standardised"})
  assert reading.asks_for_standardisation
  assert not Reading(input_range=(0.0, 1.0)).asks_for_standardisation


@pytest.mark.parametrize(
  ("flag", "text"),
  [
    ("layout", "HWC"),
    ("resize", "0"),
    ("resize", "00x3"),
    ("resize", "-3"),
    ("resize", "3x"),
    ("input_range", "1"),
    ("input_range", "1,0"),
    ("input_range", "0,1e999"),
    ("input_range", "nan,1"),
    ("input_range", "-,e"),
    ("decoder_output", "sigmoid"),
  ],
)
def test_flags_that_mean_nothing(flag, text):
  with pytest.raises(UserError, match=f"--{flag} is "):
    Reading.from_flags(**FLAGS | {flag: text})


@pytest.mark.parametrize("text", ["keep_prob", "=1", "a=", "a=x", "a=nan", "a=1e999"])
def test_inputs_that_mean_nothing(text):
  with pytest.raises(UserError, match=f"--input is '{text}': write NAME=VALUE"):
    Reading.from_flags(**FLAGS | {"inputs": [text]})
