import dataclasses

import pytest
from absl import flags

from disentangle_tf.commands import foreign_flags
from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.sandbox.limits import Limits


def _options(*words):
  values = flags.FlagValues()
  foreign_flags.define(values)
  values(["command", *words])
  return foreign_flags.options(values)


def test_defaults():
  assert _options() == {"reading": Reading(), "trusted": False, "limits": Limits()}


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Limits)])
def test_every_limit_is_a_flag(name):
  limits = _options(f"--limit_{name}=7")["limits"]
  assert limits == Limits(**{name: 7})
  with pytest.raises(UserError, match=f"--limit_{name} is 0"):
    _options(f"--limit_{name}=0")


def test_how_a_model_is_read():
  options = _options(
    *("--signature", "encode", "--input_key", "x", "--layout", "nchw"),
    *("--output_key", "mean=z", "--output_key", "log_variance=s"),
    *("--input", "keep_prob=1", "--input_range=-1,1", "--resize", "64x48"),
    *("--decoder", "decode=px", "--decoder_output", "logits", "--trusted"),
  )
  assert options["trusted"] is True
  assert options["reading"] == Reading(
    signature="encode",
    input_key="x",
    output_key=("mean=z", "log_variance=s"),
    inputs=(("keep_prob", 1.0),),
    input_range=(-1.0, 1.0),
    layout="NCHW",
    resize=(64, 48),
    decoder="decode=px",
    decoder_output="logits",
  )
