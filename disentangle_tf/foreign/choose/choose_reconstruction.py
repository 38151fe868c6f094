"""Chooses the function of a model that reconstructs images."""

import dataclasses

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.call import ImageSource
from disentangle_tf.foreign.choose.choose_picture import choose_picture
from disentangle_tf.foreign.choose.make_call import make_call
from disentangle_tf.strangers_text import printable

_NAMES = ("reconstruct", "reconstructions", "reconstruction", "autoencode")
_FLAG = "--decoder"


def choose_reconstruction(offers, encode, outputs, find_format, values, *, has_decoder):
  """(the `ImageSource` that reconstructs, or None; remarks).

  The output that the user names; a function with such a name; and where nothing decodes
  the codes, an image beside them, or a function that has the shapes for it.

  Args:
    offers: the model's `Offer`s but for the one that encodes.
    encode: the `Call` that encodes.
    outputs: its `Outputs`.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    values: {input: number}, the user's.
    has_decoder: whether the model decodes codes.
  """
  if outputs.picture_is_named:
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
      taken = f"{printable(offer.name)} taken for the reconstruction"
      return found, (*remarks, taken)
  return None, ()


def _beside_codes(encode, picture, find_format):
  call = dataclasses.replace(encode, outputs=(picture.name,))
  return ImageSource(call, find_format(picture))


def _source(offer, encode, find_format, values, *, surely):
  """(`ImageSource`, remarks); `surely` if its name says that it reconstructs."""
  wanted = encode.input.shape, encode.input.dtype
  images = [t for t in offer.inputs if (t.shape, t.dtype) == wanted]
  picture, remarks = choose_picture(offer, find_format, flag=_FLAG, surely=surely)
  if picture is None or not images:
    return None, ()
  try:
    call = make_call(offer, images[0], values, outputs=(picture.name,))
  except UserError as error:
    return None, (f"{printable(offer.name)} not used: {error}",) if surely else ()
  return ImageSource(call, find_format(picture)), remarks
