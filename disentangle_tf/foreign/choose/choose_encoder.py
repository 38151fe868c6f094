"""Detects the function of a model that encodes, and its input for images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from disentangle_tf.foreign.choose.choose_outputs import may_be_codes
from disentangle_tf.foreign.choose.image_format import ImageFormat
from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from collections.abc import Sequence

  from disentangle_tf.errors import UserError
  from disentangle_tf.foreign.choose.reading import Reading
  from disentangle_tf.foreign.look.offer import Offer, Tensor

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
