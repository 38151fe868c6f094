"""Detects the `Interface` between a data set's images and a model."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.foreign.choose.choose_decoder import (
  choose_decoder,
  decoder_parameters,
)
from disentangle_tf.foreign.choose.choose_encoder import choose_encoder
from disentangle_tf.foreign.choose.choose_outputs import choose_outputs, doubt_of_both
from disentangle_tf.foreign.choose.choose_reconstruction import choose_reconstruction
from disentangle_tf.foreign.choose.image_format import ImageFormat
from disentangle_tf.foreign.choose.interface import Interface
from disentangle_tf.foreign.choose.make_call import make_call
from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.foreign.choose.reading import STANDARDISED
from disentangle_tf.foreign.choose.with_channels import OTHER_CHANNELS
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from collections.abc import Sequence

  from numpy.typing import ArrayLike

  from disentangle_tf.foreign.choose.call import ImageSource
  from disentangle_tf.foreign.choose.choose_outputs import Outputs
  from disentangle_tf.foreign.choose.image_format import FormatFinder
  from disentangle_tf.foreign.choose.interface import PixelRange
  from disentangle_tf.foreign.choose.reading import Reading
  from disentangle_tf.foreign.look.offer import Offer, Tensor


def choose_interface(
  offers: Sequence[Offer],
  image_shape: Sequence[int],
  reading: Reading,
  *,
  channels_first: bool,
  standardisation: tuple[ArrayLike, ArrayLike] | None = None,
) -> Interface:
  """Detect the `Interface` between a data set's images and a model.

  Args:
    offers: the model's `Offer`s.
    image_shape: the data set's observation shape.
    reading: the user's `Reading`.
    channels_first: the layout to use if both fit.
    standardisation: (mean, std) of the data set, if the reading asks for it.
  """
  _check_inputs(offers, reading)
  image_shape = tuple(image_shape)
  offer, image, takes = choose_encoder(
    offers, _shapes(image_shape, reading), reading, channels_first=channels_first
  )
  others = [other for other in offers if other is not offer]
  find_format = functools.partial(
    ImageFormat.of_tensor, shape=takes.shape, channels_first="NCHW" in takes.layout
  )
  outputs = choose_outputs(offer, offers, reading.output_key, find_format)
  encode = make_call(offer, image, reading.values, outputs=outputs.codes)
  decode, of_decoder = choose_decoder(others, outputs.latents, find_format, reading)
  reconstruct, of_images = choose_reconstruction(
    others, encode, outputs, find_format, reading.values, has_decoder=bool(decode)
  )
  parameters = None
  if _as_they_are(takes, image_shape, reading):
    parameters = decoder_parameters(others, outputs.latents, find_format)
  input_range, output_range = _ranges(image, reading, standardisation)
  of_channels = _channel_remarks(image_shape, takes)
  return Interface(
    image_shape=image_shape,
    encode=encode,
    takes=takes,
    spread=outputs.spread,
    mean_is_a_guess=outputs.is_a_guess,
    decode=decode,
    reconstruct=reconstruct,
    decode_parameters=parameters,
    input_range=input_range,
    output_range=output_range,
    decoder_output=reading.decoder_output,
    resize=reading.resize if takes.layout != "points" else None,
    remarks=(*of_channels, *outputs.remarks, *of_decoder, *of_images),
    doubts=outputs.doubts or _doubts(others, outputs, decode, find_format, reading),
  )


def _check_inputs(offers: Sequence[Offer], reading: Reading) -> None:
  known = {tensor.name for offer in offers for tensor in offer.inputs}
  for name in reading.values:
    if name not in known:
      raise mismatch(f"it has no input {name!r} (argument inputs)", offers)


def _shapes(image_shape: tuple[int, ...], reading: Reading) -> list[tuple[int, ...]]:
  """The shapes in which images can be given, best first."""
  if len(image_shape) != 3:
    return [image_shape]
  *sizes, channels = image_shape
  sizes = reading.resize or sizes
  others = [OTHER_CHANNELS[channels]] if channels in OTHER_CHANNELS else []
  return [(*sizes, count) for count in (channels, *others)]


def _channel_remarks(image_shape: tuple[int, ...], takes: ImageFormat) -> list[str]:
  given, taken = image_shape[-1], takes.shape[-1]
  if takes.layout == "points" or given == taken:
    return []
  how = "repeated" if taken > given else "by their luminance"
  channels = "channel" if given == 1 else "channels"
  return [f"images of {given} {channels} given as {taken}, {how}"]


def _as_they_are(
  takes: ImageFormat, image_shape: tuple[int, ...], reading: Reading
) -> bool:
  """Whether the model takes the data set's images without a change."""
  same = takes.layout in ("NHWC", "points") and takes.shape == image_shape
  return same and not (reading.input_range or reading.decoder_output or reading.resize)


def _ranges(
  image: Tensor, reading: Reading, standardisation: tuple[ArrayLike, ArrayLike] | None
) -> tuple[PixelRange, PixelRange]:
  """(range of the images that go in, of those that come out)."""
  standard: PixelRange = (0.0, 1.0)
  if reading.asks_for_standardisation:
    mean, std = np.array(standardisation, np.float64)
    standard = tuple((-mean / std).tolist()), tuple(((1 - mean) / std).tolist())
  whole_numbers = image.dtype.startswith(("int", "uint"))
  given: PixelRange = (0.0, 255.0) if whole_numbers else (0.0, 1.0)
  if isinstance(reading.input_range, str):
    given = standard
  elif reading.input_range:
    given = reading.input_range
  if reading.decoder_output is None:
    return given, given
  return given, standard if reading.decoder_output == STANDARDISED else (0.0, 1.0)


def _doubts(
  others: Sequence[Offer],
  outputs: Outputs,
  decode: ImageSource | None,
  find_format: FormatFinder,
  reading: Reading,
) -> tuple[str, ...]:
  """A line if the decoder takes codes half as wide as the encoder gives."""
  if decode or outputs.spread or not outputs.latents or outputs.latents % 2:
    return ()
  half, _ = choose_decoder(others, outputs.latents // 2, find_format, reading)
  if half is None:
    return ()
  taker = printable(half.call.signature)
  why = f"is twice as wide as the codes that {taker} takes: it looks like"
  return (doubt_of_both(outputs.codes[0], why),)
