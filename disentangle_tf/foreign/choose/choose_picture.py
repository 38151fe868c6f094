"""Chooses which output of a function is an image."""

import re

from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.strangers_text import printable

_SURE_WORDS = r"recon|decoded|x_?hat"
_LIKELY_WORDS = rf"{_SURE_WORDS}|image|picture|prob|mean|loc|mu\b|logit"


def choose_picture(offer, find_format, named=None, *, flag, surely=False):
  """(the `Tensor` that holds images, or None; remarks).

  Args:
    offer: the `Offer`.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    named: the output that the user says it is.
    flag: how the user says it, for words.
    surely: whether there must be one, so that one of unknown shape may be it.
  """
  if named is not None:
    for tensor in offer.outputs:
      if tensor.name == named and find_format(tensor):
        return tensor, ()
    raise mismatch(
      f"{printable(offer.name)} gives no images called {named!r} ({flag})", [offer]
    )
  found = [t for t in offer.outputs if is_picture(t, find_format, surely=surely)]
  if not found:
    return None, ()
  likely = [t for t in found if re.search(_LIKELY_WORDS, t.name.lower())] or found
  if len(likely) == 1:
    return likely[0], ()
  first, *others = (printable(tensor.name) for tensor in likely)
  remark = f"{first} taken for the images, not {', '.join(others)}: see {flag}"
  return likely[0], (remark,)


def is_picture(tensor, find_format, *, surely=False):
  """Whether a `Tensor` has the images' shape; where that says little its name must.

  Args: as of `choose_picture`.
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
