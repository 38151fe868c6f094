"""Detects the function of a model that decodes codes to images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.call import ImageSource
from disentangle_tf.foreign.choose.choose_picture import choose_picture, image_source
from disentangle_tf.foreign.choose.make_call import make_call
from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.foreign.choose.vectors import is_vector, vector_width
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping, Sequence

  from disentangle_tf.foreign.choose.image_format import FormatFinder
  from disentangle_tf.foreign.choose.reading import Reading
  from disentangle_tf.foreign.look.offer import Offer, Tensor

_NAMES = ("decode", "decoder", "generate", "generator")
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
  for name in _NAMES:
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
    if offer.name not in (*_NAMES, _PARAMETERS) and _decodes(offer, *options):
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
