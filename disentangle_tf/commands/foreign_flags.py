"""Flags of the commands that read anybody's model."""

import dataclasses
import functools

from absl import flags

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.sandbox.limits import Limits

_OF_READING = (
  *("signature", "input_key", "output_key", "input", "input_range", "layout"),
  *("resize", "decoder", "decoder_output"),
)


def define(values):
  """Defines how a model is read, and what it may use up."""
  define = functools.partial(flags.DEFINE_string, flag_values=values)
  define("signature", None, "The signature that encodes.")
  define("input_key", None, "Its input that takes images.")
  flags.DEFINE_multi_string(
    "output_key",
    [],
    "Its output that is the mean, or ROLE=NAME with ROLE one of mean, log_variance, "
    "variance, scale, log_scale, mean+log_variance (both halves of one), "
    "reconstruction; may be given several times.",
    flag_values=values,
  )
  flags.DEFINE_multi_string(
    "input",
    [],
    "What goes into an input that takes no images, NAME=VALUE, such as keep_prob=1; "
    "may be given several times.",
    flag_values=values,
  )
  define(
    "input_range",
    None,
    "Lowest and highest pixel value it takes, such as -1,1, or standardised.",
  )
  define("layout", None, "NHWC or NCHW.")
  define("resize", None, "Resize images first, to SIZE or HEIGHTxWIDTH.")
  define("decoder", None, "The signature that decodes, or SIGNATURE=OUTPUT.")
  define(
    "decoder_output",
    None,
    "What it gives: logits, probabilities, or standardised images; otherwise images in "
    "the input range.",
  )
  flags.DEFINE_bool(
    "trusted",
    False,
    "Run models in this process, whatever the scan finds: for those you made yourself.",
    flag_values=values,
  )
  for name, words in (
    ("memory_gib", "Memory a model may use."),
    ("seconds", "Seconds it may take to load, and for one batch."),
    ("cpu_seconds", "Seconds of computing it may take in all."),
    ("total_seconds", "Seconds it may take to load and for all batches together."),
    ("latents", "Numbers a code may have, of a model or of arrays."),
    ("image_numbers", "Height x width x channels that images may have."),
    ("metric_seconds", "Seconds a metric may take; if it needs more, it is skipped."),
    ("codes_gib", "Codes or decoded images at a time; a metric of more is skipped."),
  ):
    default = getattr(Limits, name)
    whole = isinstance(default, int)
    define = flags.DEFINE_integer if whole else flags.DEFINE_float
    define(f"limit_{name}", default, words, flag_values=values)


def options(values, *, of_model=True):
  """Arguments `reading`, `trusted` and `limits` as the flags say.

  Args:
    values: the flags.
    of_model: whether there is a model; a flag that is given without one is refused.
  """
  from disentangle_tf.foreign.interface.reading import Reading

  names = [field.name for field in dataclasses.fields(Limits)]
  if not of_model:
    for name in (*_OF_READING, "trusted", *(f"limit_{limit}" for limit in names)):
      if values[name].present:
        raise UserError(f"--{name} is about a model, and none is named: add --model")
  return {
    "reading": Reading.from_flags(
      signature=values.signature,
      input_key=values.input_key,
      output_key=values.output_key,
      input_range=values.input_range,
      layout=values.layout,
      resize=values.resize,
      inputs=values.input,
      decoder=values.decoder,
      decoder_output=values.decoder_output,
    ),
    "trusted": values.trusted,
    "limits": Limits(**{name: values[f"limit_{name}"].value for name in names}),
  }
