"""Detects the function of a model that reconstructs images."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.call import ImageSource
from disentangle_tf.foreign.choose.choose_picture import choose_picture, image_source
from disentangle_tf.foreign.choose.make_call import make_call
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping, Sequence

  from disentangle_tf.foreign.choose.call import Call
  from disentangle_tf.foreign.choose.choose_outputs import Outputs
  from disentangle_tf.foreign.choose.image_format import FormatFinder
  from disentangle_tf.foreign.look.offer import Offer, Tensor

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
