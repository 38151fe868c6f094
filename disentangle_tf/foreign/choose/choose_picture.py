"""Detects which output of a function is an image."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from disentangle_tf.foreign.choose.call import Call, ImageSource
from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from disentangle_tf.foreign.choose.image_format import FormatFinder
  from disentangle_tf.foreign.look.offer import Offer, Tensor

_SURE_WORDS = r"recon|decoded|x_?hat"
_LIKELY_WORDS = rf"{_SURE_WORDS}|image|picture|prob|mean|loc|mu\b|logit"


def choose_picture(
  offer: Offer,
  find_format: FormatFinder,
  named: str | None = None,
  *,
  argument: str,
  surely: bool = False,
) -> tuple[Tensor | None, tuple[str, ...]]:
  """Detect the output that holds images: (its `Tensor` or None, remarks).

  Args:
    offer: the `Offer`.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    named: the output that the user named, or None.
    argument: how the user names it, for messages.
    surely: whether one output must hold images, so that one of unknown shape may.
  """
  if named is not None:
    for tensor in offer.outputs:
      if tensor.name == named and find_format(tensor):
        return tensor, ()
    raise mismatch(
      f"{printable(offer.name)} gives no images called {named!r} ({argument})", [offer]
    )
  found = [t for t in offer.outputs if is_picture(t, find_format, surely=surely)]
  if not found:
    return None, ()
  likely = [t for t in found if re.search(_LIKELY_WORDS, t.name.lower())] or found
  if len(likely) == 1:
    return likely[0], ()
  first, *others = (printable(tensor.name) for tensor in likely)
  remark = f"{first} used as the images, not {', '.join(others)}: see {argument}"
  return likely[0], (remark,)


def image_source(call: Call, picture: Tensor, find_format: FormatFinder) -> ImageSource:
  """The `ImageSource` of a call whose output is a chosen picture."""
  image_format = find_format(picture)
  assert image_format, "an output without the images' shape was chosen"
  return ImageSource(call, image_format)


def is_picture(
  tensor: Tensor, find_format: FormatFinder, *, surely: bool = False
) -> bool:
  """Whether a `Tensor` holds images, by its shape; if that is vague, by its name too.

  Args:
    tensor: the output.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    surely: whether a vague shape is enough.
  """
  if "float" not in tensor.dtype and not tensor.dtype.startswith(("int", "uint")):
    return False
  image_format = find_format(tensor)
  if image_format is None:
    return False
  vague = tensor.shape is None or tensor.shape[1:] == (None,)
  if (vague or image_format.layout == "points") and not surely:
    return bool(re.search(_SURE_WORDS, tensor.name.lower()))
  return True
