"""Which functions encode and which decode."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.call import (
  ImageSource,
  choose_picture,
  image_source,
  make_call,
)
from disentangle_tf.foreign.interface.detect_outputs import may_be_codes
from disentangle_tf.foreign.interface.tensors import (
  ImageFormat,
  is_vector,
  mismatch,
  vector_width,
)
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping, Sequence

  from disentangle_tf.foreign.interface.reading import Reading
  from disentangle_tf.foreign.interface.tensors import FormatFinder
  from disentangle_tf.foreign.scan.verdict import Offer, Tensor


# Usual names, best first: they decide if several functions could encode.
_NAMES = (
  "encode",
  "gaussian_encoder",
  "encoder",
  "representation",
  "serving_default",
  "default",
)
_NUMBERS = re.compile(r"u?int(8|16|32|64)|float(16|32|64)|bfloat16")


def choose_encoder(
  offers: Sequence[Offer],
  shapes: Sequence[tuple[int, ...]],
  reading: Reading,
  *,
  channels_first: bool,
) -> tuple[Offer, Tensor, ImageFormat]:
  """Detect the encoder: (its `Offer`, the input `Tensor`, that input's `ImageFormat`).

  Args:
    offers: the model's.
    shapes: shapes in which images can be given, best first.
    reading: the user's `Reading`.
    channels_first: the layout to use if both fit.
  """
  named = _named(offers, reading)
  encoding = [
    o for o in named if reading.signature or any(map(may_be_codes, o.outputs))
  ]
  for shape in shapes:
    found = [_image_inputs(o, shape, reading, channels_first) for o in encoding]
    fitting = [offer for offer, inputs in zip(encoding, found, strict=True) if inputs]
    if fitting:
      chosen = _choose(fitting, offers)
      inputs = found[encoding.index(chosen)]
      _check_clear(chosen, inputs)
      return chosen, *inputs[0]
  raise _nothing_fits(named, shapes[0], reading, channels_first)


def _named(offers: Sequence[Offer], reading: Reading) -> Sequence[Offer]:
  """The offers with the signature and the input that the user names."""
  if reading.signature:
    offers_left = [offer for offer in offers if offer.name == reading.signature]
    if not offers_left:
      raise mismatch(f"it has no signature {reading.signature!r}", offers)
    offers = offers_left
  if reading.input_key:
    offers_left = [o for o in offers if _inputs(o, reading)]
    if not offers_left:
      raise mismatch(
        f"it has no input {reading.input_key!r} (argument input_key)", offers
      )
    offers = offers_left
  return offers


def _inputs(offer: Offer, reading: Reading) -> list[Tensor]:
  """The inputs that may take images."""
  return [
    tensor
    for tensor in offer.inputs
    if _NUMBERS.fullmatch(tensor.dtype)
    and tensor.name not in reading.values
    and (not reading.input_key or tensor.name == reading.input_key)
  ]


def _image_inputs(
  offer: Offer, shape: tuple[int, ...], reading: Reading, channels_first: bool
) -> list[tuple[Tensor, ImageFormat]]:
  """[(input, format)] of the inputs that can take images of this shape.

  An input of unknown shape fits any images; it counts only if there is no other.
  """
  options = {"forced": reading.layout, "channels_first": channels_first}
  tensors = _inputs(offer, reading)
  found = [(t, ImageFormat.of_tensor(t, shape, **options)) for t in tensors]
  found = [(tensor, image_format) for tensor, image_format in found if image_format]
  return [each for each in found if each[0].shape is not None] or found


def _check_clear(offer: Offer, inputs: Sequence[tuple[Tensor, ImageFormat]]) -> None:
  """Refuse several inputs, unless their known shapes are equal."""
  shapes = {tensor.shape for tensor, _ in inputs}
  if len(shapes) > 1 or (None in shapes and len(inputs) > 1):
    raise mismatch(
      "several inputs may be the images: choose with the argument input_key", [offer]
    )


def _choose(fitting: Sequence[Offer], offers: Sequence[Offer]) -> Offer:
  for name in _NAMES:
    for offer in fitting:
      if offer.name == name:
        return offer
  if len(fitting) > 1:
    names = ", ".join(printable(offer.name) for offer in fitting)
    raise mismatch(
      f"any of {names} may encode: choose with the argument signature", offers
    )
  return fitting[0]


def _nothing_fits(
  offers: Sequence[Offer],
  shape: tuple[int, ...],
  reading: Reading,
  channels_first: bool,
) -> UserError:
  if len(offers) != 1:
    return mismatch(
      f"no signature takes images of shape {shape} and gives a vector: see "
      "the arguments signature, resize, layout, or choose other data",
      offers,
    )
  if _image_inputs(offers[0], shape, reading, channels_first):
    return mismatch("it gives no vector of codes", offers)
  return mismatch(
    f"it takes no images of shape {shape}: see the arguments resize, layout, "
    "input_key, or choose other data",
    offers,
  )


_DECODER_NAMES = ("decode", "decoder", "generate", "generator")
_PARAMETERS = "decode_parameters"  # of this project's exports; it gives no images
_ARGUMENT = "decoder SIGNATURE=OUTPUT"


def choose_decoder(
  offers: Sequence[Offer],
  latents: int | None,
  find_format: FormatFinder,
  reading: Reading,
) -> tuple[ImageSource | None, tuple[str, ...]]:
  """Detect the function that decodes: (its `ImageSource` or None, remarks).

  It is the one that the user names, else one with a decoder's name, else one that takes
  a vector of the codes' width and gives images.

  Args:
    offers: the model's `Offer`s but for the one that encodes.
    latents: their number, None if it is unknown.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    reading: the user's `Reading`.
  """
  options = latents, find_format, reading.values
  if reading.decoder:
    return _named_decoder(reading.decoder, offers, *options)
  for name in _DECODER_NAMES:
    for offer in offers:
      if offer.name == name and _decodes(offer, *options, surely=True):
        try:
          return _source(offer, *options)
        except UserError as error:
          return None, (f"{name} not used: {error}",)
  return _decoder_by_shape(offers, *options)


def decoder_parameters(
  offers: Sequence[Offer], latents: int | None, find_format: FormatFinder
) -> ImageSource | None:
  """The `ImageSource` of the own output of this project's decoders, or None."""
  options = latents, find_format, {}
  for offer in offers:
    if offer.name == _PARAMETERS and _decodes(offer, *options, surely=True):
      return _source(offer, *options)[0]
  return None


def _named_decoder(
  text: str,
  offers: Sequence[Offer],
  latents: int | None,
  find_format: FormatFinder,
  values: Mapping[str, float],
) -> tuple[ImageSource, tuple[str, ...]]:
  options = latents, find_format, values
  names = [offer.name for offer in offers]
  name, output = (text, None) if text in names else _halves(text)
  if name not in names:
    raise mismatch(
      f"it has no signature {name!r} to decode with (argument decoder)", offers
    )
  offer = offers[names.index(name)]
  if _codes_input(offer, *options, surely=True) is None:
    raise mismatch(
      f"{name!r} does not take codes of {latents or 'any'} numbers (argument "
      "decoder; if the encoder gives mean and log-variance in one: output_key "
      "mean+log_variance=NAME)",
      [offer],
    )
  source, remarks = _source(offer, *options, output=output)
  if source is None:
    raise mismatch(f"{name!r} gives no images (argument decoder)", [offer])
  return source, remarks


def _halves(text: str) -> tuple[str, str | None]:
  name, equals, output = text.partition("=")
  return name, output if equals else None


def _decoder_by_shape(
  offers: Sequence[Offer],
  latents: int | None,
  find_format: FormatFinder,
  values: Mapping[str, float],
) -> tuple[ImageSource | None, tuple[str, ...]]:
  options = latents, find_format, values
  fitting = []
  for offer in offers:
    if offer.name not in (*_DECODER_NAMES, _PARAMETERS) and _decodes(offer, *options):
      try:
        fitting.append((offer.name, *_source(offer, *options)))
      except UserError:  # it has an unknown input, so it does something else
        continue
  if not fitting:
    return None, ()
  (name, source, remarks), *others = fitting
  if others:
    more = ", ".join(printable(other) for other, *_ in others)
    remark = (
      f"{printable(name)} used as the decoder, not {more}: see the argument decoder"
    )
    remarks = (*remarks, remark)
  return source, remarks


def _decodes(
  offer: Offer,
  latents: int | None,
  find_format: FormatFinder,
  values: Mapping[str, float],
  *,
  surely: bool = False,
) -> bool:
  """Whether it takes codes and gives images; `surely` if its name says so."""
  codes = _codes_input(offer, latents, find_format, values, surely=surely)
  picture, _ = choose_picture(offer, find_format, argument=_ARGUMENT, surely=surely)
  return codes is not None and picture is not None


def _codes_input(
  offer: Offer,
  latents: int | None,
  find_format: FormatFinder,
  values: Mapping[str, float],
  *,
  surely: bool,
) -> Tensor | None:
  """The only input that is a vector of the codes' width, or None."""
  vectors = [
    tensor
    for tensor in offer.inputs
    if tensor.name not in values and "float" in tensor.dtype and is_vector(tensor)
  ]
  if len(vectors) != 1:
    return None
  (codes,), width = vectors, vector_width(vectors[0])
  if latents is None or width is None:
    fits = surely or (width is not None and find_format(codes) is None)
  else:
    fits = width == latents
  return codes if fits else None


def _source(
  offer: Offer,
  latents: int | None,
  find_format: FormatFinder,
  values: Mapping[str, float],
  *,
  output: str | None = None,
) -> tuple[ImageSource | None, tuple[str, ...]]:
  """(`ImageSource`, remarks)."""
  picture, remarks = choose_picture(
    offer, find_format, output, argument=_ARGUMENT, surely=True
  )
  codes = _codes_input(offer, latents, find_format, values, surely=True)
  if picture is None or codes is None:
    return None, ()
  call = make_call(offer, codes, values, outputs=(picture.name,))
  return image_source(call, picture, find_format), remarks
