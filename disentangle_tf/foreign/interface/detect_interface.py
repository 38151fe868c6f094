"""Detect the whole interface of a foreign model."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.call import (
  ImageSource,
  choose_picture,
  image_source,
  make_call,
)
from disentangle_tf.foreign.interface.detect_functions import (
  choose_decoder,
  choose_encoder,
  decoder_parameters,
)
from disentangle_tf.foreign.interface.detect_outputs import (
  choose_outputs,
  doubt_of_both,
)
from disentangle_tf.foreign.interface.interface import OTHER_CHANNELS, Interface
from disentangle_tf.foreign.interface.reading import STANDARDISED
from disentangle_tf.foreign.interface.tensors import ImageFormat, mismatch
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping, Sequence

  from numpy.typing import ArrayLike

  from disentangle_tf.foreign.interface.call import Call
  from disentangle_tf.foreign.interface.detect_outputs import Outputs
  from disentangle_tf.foreign.interface.interface import PixelRange
  from disentangle_tf.foreign.interface.reading import Reading
  from disentangle_tf.foreign.interface.tensors import FormatFinder
  from disentangle_tf.foreign.scan.verdict import Offer, Tensor


_NAMES = ("reconstruct", "reconstructions", "reconstruction", "autoencode")
_ARGUMENT = "decoder"


def choose_reconstruction(
  offers: Sequence[Offer],
  encode: Call,
  outputs: Outputs,
  find_format: FormatFinder,
  values: Mapping[str, float],
  *,
  has_decoder: bool,
) -> tuple[ImageSource | None, tuple[str, ...]]:
  """Detect the function that reconstructs: (its `ImageSource` or None, remarks).

  It is the output that the user names, else a function with such a name. If nothing
  decodes codes, it is an image beside the codes, else a function of fitting shapes.

  Args:
    offers: the model's `Offer`s but for the one that encodes.
    encode: the `Call` that encodes.
    outputs: its `Outputs`.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    values: {input: number}, the user's.
    has_decoder: whether the model decodes codes.
  """
  if outputs.picture and outputs.picture_is_named:
    return _beside_codes(encode, outputs.picture, find_format), ()
  named = [offer for name in _NAMES for offer in offers if offer.name == name]
  for offer in named:
    found, remarks = _source(offer, encode, find_format, values, surely=True)
    if found or remarks:
      return found, remarks
  if has_decoder:
    return None, ()
  if outputs.picture:
    return _beside_codes(encode, outputs.picture, find_format), outputs.picture_remarks
  for offer in offers:
    found, remarks = _source(offer, encode, find_format, values, surely=False)
    if found:
      taken = f"{printable(offer.name)} used as the reconstruction"
      return found, (*remarks, taken)
  return None, ()


def _beside_codes(
  encode: Call, picture: Tensor, find_format: FormatFinder
) -> ImageSource:
  call = dataclasses.replace(encode, outputs=(picture.name,))
  return image_source(call, picture, find_format)


def _source(
  offer: Offer,
  encode: Call,
  find_format: FormatFinder,
  values: Mapping[str, float],
  *,
  surely: bool,
) -> tuple[ImageSource | None, tuple[str, ...]]:
  """(`ImageSource`, remarks); `surely` if its name says that it reconstructs."""
  wanted = encode.input.shape, encode.input.dtype
  images = [t for t in offer.inputs if (t.shape, t.dtype) == wanted]
  picture, remarks = choose_picture(
    offer, find_format, argument=_ARGUMENT, surely=surely
  )
  if picture is None or not images:
    return None, ()
  try:
    call = make_call(offer, images[0], values, outputs=(picture.name,))
  except UserError as error:
    return None, (f"{printable(offer.name)} not used: {error}",) if surely else ()
  return image_source(call, picture, find_format), remarks


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
