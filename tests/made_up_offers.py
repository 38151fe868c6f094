"""Offers of models that do not exist, and the interface that is chosen for them."""

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.detect_interface import choose_interface
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.scan.verdict import Offer, Tensor

SHAPE = (8, 6, 3)
NHWC, NCHW, FLAT = (None, 8, 6, 3), (None, 3, 8, 6), (None, 144)


def image(shape=NHWC, dtype="float32", name="x"):
  return Tensor(name, dtype, shape)


def codes(*names, shape=(None, 5)):
  return tuple(Tensor(name, "float32", shape) for name in names)


def offer(*inputs, name="serving_default", outputs=None):
  return Offer(name, inputs or (image(),), outputs or codes("mean"))


def tensor(name, shape, dtype="float32"):
  return Tensor(name, dtype, shape)


def vector(name, width=5):
  return tensor(name, (None, width))


def function(name, inputs, *outputs):
  return Offer(name, tuple(inputs), outputs)


X = [tensor("x", NHWC)]
ENCODE = function("encode", X, vector("mean"), vector("log_variance"))
DECODE = function("decode", [vector("z")], tensor("px", NHWC))


def choose(*offers, shape=SHAPE, channels_first=False, standardisation=None, **forced):
  """The `Interface` for offers, where the user forces what is named."""
  return choose_interface(
    offers,
    shape,
    Reading(**forced),
    channels_first=channels_first,
    standardisation=standardisation,
  )


def refuse(*offers, match, **options):
  """The error, which lists what the model offers."""
  with pytest.raises(UserError, match=match) as caught:
    choose(*offers, **options)
  for one in offers:
    if str(one) not in str(caught.value):
      return None
  return str(caught.value)
