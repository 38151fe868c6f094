"""Flags of the commands that read foreign models, and the models that they name."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from absl import flags

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.sandbox.limits import Limits

if TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData

_OF_READING = (
  *("signature", "input_key", "output_key", "input", "input_range", "layout"),
  *("resize", "decoder", "decoder_output"),
)
_LIMITS = {
  "memory_gib": "Memory of a model's process, in GiB.",
  "seconds": "Seconds that a model may take to load, and for one batch.",
  "cpu_seconds": "Computing time of a model in total, in seconds over all cores.",
  "total_seconds": "Seconds that a model may take to load and for all batches.",
  "latents": "Numbers in a code, of a model or of arrays.",
  "image_numbers": "Height x width x channels of the images.",
  "metric_seconds": "Seconds for one metric; one that takes longer is skipped.",
  "codes_gib": (
    "Codes or decoded images at a time, in GiB; a metric that needs more is skipped."
  ),
}


def define(values: flags.FlagValues) -> None:
  """Define the flags: how a model is read, and its limits."""
  _define_reading(values)
  flags.DEFINE_bool(
    "trusted",
    False,
    "Run models in this process, whatever the scan finds. Only for your own models.",
    flag_values=values,
  )
  for name, words in _LIMITS.items():
    default = getattr(Limits, name)
    whole = isinstance(default, int)
    define = flags.DEFINE_integer if whole else flags.DEFINE_float
    define(f"limit_{name}", default, words, flag_values=values)


def _define_reading(values: flags.FlagValues) -> None:
  define = functools.partial(flags.DEFINE_string, flag_values=values)
  define("signature", None, "The signature that encodes.")
  define("input_key", None, "The input of the encoding signature that takes images.")
  flags.DEFINE_multi_string(
    "output_key",
    [],
    "The output of the encoding signature that is the mean, or ROLE=NAME. The "
    "roles are mean, log_variance, variance, scale, log_scale, mean+log_variance (both "
    "halves of one output) and reconstruction",
    flag_values=values,
  )
  flags.DEFINE_multi_string(
    "input",
    [],
    "NAME=VALUE for an input without images, such as keep_prob=1",
    flag_values=values,
  )
  define(
    "input_range",
    None,
    "Lowest and highest pixel value that the model takes, such as -1,1; or "
    "standardised.",
  )
  define("layout", None, "Layout of the images: NHWC or NCHW.")
  define("resize", None, "Resize images first, to SIZE or HEIGHTxWIDTH.")
  define("decoder", None, "The signature that decodes, or SIGNATURE=OUTPUT.")
  define(
    "decoder_output",
    None,
    "Output of the decoder: logits, probabilities or standardised images; by default "
    "images in the input range.",
  )


def options(values: flags.FlagValues, *, of_model: bool = True) -> dict[str, Any]:
  """The arguments `reading`, `trusted` and `limits` that the flags set.

  Args:
    values: the flags.
    of_model: whether the user named a model; without one, these flags are refused.
  """
  from disentangle_tf.foreign.interface.reading import Reading

  limits: dict[str, Any] = {
    field.name: values[f"limit_{field.name}"].value
    for field in dataclasses.fields(Limits)
  }
  if not of_model:
    for name in (*_OF_READING, "trusted", *(f"limit_{limit}" for limit in limits)):
      if values[name].present:
        raise UserError(f"--{name} needs a model: add --model")
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
    "limits": Limits(**limits),
  }


@contextlib.contextmanager
def opened_model(
  path: str,
  data: GroundTruthData | None,
  options: dict[str, Any],
  *,
  has_loss: bool,
) -> Iterator[dict[str, Any]]:
  """Open a model; yields the arguments `model`, `data` and `loss` for its distances.

  Args:
    path: the model.
    data: its data set; None takes the one that an export names, if any.
    options: result of `options`.
    has_loss: whether the configuration sets the loss, so that `loss` is omitted.
  """
  from disentangle_tf.evaluation.opening import open_model
  from disentangle_tf.export import loss_of_distances

  with open_model(path, data=data, **options) as (model, data, manifest):
    arguments = {"model": model, "data": data}
    if data is not None and not has_loss:
      arguments["loss"] = loss_of_distances(manifest, path=path)
    yield arguments
