"""Flags of the commands that read anybody's model."""

import functools

from absl import flags


def define(values):
  """Defines how a model is read, and what it may use up."""
  define = functools.partial(flags.DEFINE_string, flag_values=values)
  define("signature", None, "The signature that encodes.")
  define("input_key", None, "Its input that takes images.")
  flags.DEFINE_multi_string(
    "output_key",
    [],
    "Its output that is the mean, or ROLE=NAME with ROLE one of mean, log_variance, "
    "variance, scale, log_scale; may be given several times.",
    flag_values=values,
  )
  define("input_range", None, "Lowest and highest pixel value it takes, such as -1,1.")
  define("layout", None, "NHWC or NCHW.")
  define("resize", None, "Resize images first, to SIZE or HEIGHTxWIDTH.")
  flags.DEFINE_bool(
    "trusted",
    False,
    "Run models in this process, whatever the scan finds: for those you made yourself.",
    flag_values=values,
  )
  for name, default, words in (
    ("memory_gib", 8.0, "Memory a model may use."),
    ("seconds", 120.0, "Seconds it may take to load, and for one batch."),
    ("cpu_seconds", 4 * 3600.0, "Seconds of computing it may take in all."),
  ):
    flags.DEFINE_float(f"limit_{name}", default, words, flag_values=values)


def options(values):
  """Arguments `reading`, `trusted` and `limits` as the flags say."""
  from disentangle_tf.foreign.limits import Limits
  from disentangle_tf.foreign.reading import Reading

  return {
    "reading": Reading.from_flags(
      signature=values.signature,
      input_key=values.input_key,
      output_key=values.output_key,
      input_range=values.input_range,
      layout=values.layout,
      resize=values.resize,
    ),
    "trusted": values.trusted,
    "limits": Limits(
      values.limit_memory_gib, values.limit_seconds, values.limit_cpu_seconds
    ),
  }
