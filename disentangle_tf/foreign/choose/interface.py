"""How a model is called: from images to its inputs, from its outputs to images."""

import dataclasses

import numpy as np
from scipy import special

from disentangle_tf.foreign.choose.call import Call, ImageSource
from disentangle_tf.foreign.choose.image_format import ImageFormat
from disentangle_tf.foreign.choose.spreads import SPREADS
from disentangle_tf.foreign.choose.with_channels import with_channels
from disentangle_tf.strangers_text import printable

_LEAST_PROBABILITY = 1e-6  # as in losses.Bernoulli


@dataclasses.dataclass(frozen=True)
class Interface:
  """How images go into a model, and what is made of what comes out.

  Attributes:
    image_shape: of the data set's images.
    encode: the `Call` that gives the mean and its spread, in two outputs or in one.
    takes: the `ImageFormat` that images are given in.
    spread: what comes with the mean, a key of `SPREADS`; None if nothing does.
    mean_is_a_guess: whether it might as well be another output, or an image.
    decode, reconstruct: `ImageSource`s, or None.
    decode_parameters: the `ImageSource` of the decoder's own output, or None.
    input_range: lowest and highest pixel value, each a number, or one per channel.
    output_range: the same of the images that the model gives.
    decoder_output: what it gives, if the user says so: "logits", "probabilities" or
      "standardised".
    resize: (height, width), or None.
    remarks: what was taken for granted.
    doubts: what may well be wrong, with the flag that mends it.
  """

  image_shape: tuple
  encode: Call
  takes: ImageFormat
  spread: str | None = None
  mean_is_a_guess: bool = False
  decode: ImageSource | None = None
  reconstruct: ImageSource | None = None
  decode_parameters: ImageSource | None = None
  input_range: tuple = (0.0, 1.0)
  output_range: tuple = (0.0, 1.0)
  decoder_output: str | None = None
  resize: tuple | None = None
  remarks: tuple = ()
  doubts: tuple = ()

  @property
  def calls(self):
    """{name: `Call`} of all that the model can be asked for."""
    names = ("decode", "reconstruct", "decode_parameters")
    sources = {name: getattr(self, name) for name in names}
    given = {name: source.call for name, source in sources.items() if source}
    return {"encode": self.encode, **given}

  @property
  def is_bernoulli(self):
    """Whether it decodes codes to the probability of each of the data's pixels."""
    return bool(
      self.decoder_output in ("logits", "probabilities")
      and self.decode
      and self.takes.layout != "points"
      and self.takes.shape == self.image_shape
    )

  def log_variances(self, values):
    """What comes with the mean as log-variances."""
    with np.errstate(over="ignore"):  # the caller looks at what comes out
      return SPREADS[self.spread](values)

  def prepare(self, images):
    """Images [N, H, W, C] in [0, 1] as the model takes them."""
    images = np.asarray(images, np.float32)
    if self.resize:
      images = _resized(images, self.resize)
    low, high = (np.array(value, np.float32) for value in self.input_range)
    images = low + (high - low) * images
    images = with_channels(images, self.takes.shape[-1])
    if self.encode.input.dtype.startswith(("int", "uint")):
      images = np.rint(images)
    return self.takes.arrange(images)

  def restore(self, outputs, source=None, *, clip=True):
    """What the model gives as the data set's images, [N, H, W, C] in [0, 1].

    Args:
      outputs: [N, ...].
      source: the `ImageSource` that it comes from, if it has another format than
        images that go in.
      clip: whether values beyond [0, 1] are cut off; points never are.
    """
    images = (source.format if source else self.takes).images(outputs)
    if self.decoder_output == "logits":
      images = special.expit(images)
    if self.takes.layout != "points":
      images = with_channels(images, self.image_shape[-1])
    low, high = (np.array(value, np.float32) for value in self.output_range)
    images = (images - low) / (high - low)
    if self.takes.layout == "points":
      return images
    if self.resize:
      images = _resized(images, self.image_shape[:2])
    return np.clip(images, 0.0, 1.0) if clip else images

  def logits(self, outputs):
    """What a Bernoulli decoder gives as logits [N, H, W, C]."""
    images = self.decode.format.images(outputs)
    if self.decoder_output == "logits":
      return images
    kept = np.clip(images, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    return np.log(kept) - np.log1p(-kept)

  def describe(self):
    """One line that says how the model is read."""
    encode, sizes = self.encode, self.resize
    resized = f" resized to {sizes[0]}x{sizes[1]}" if sizes else ""
    parts = [
      f"encode by {printable(encode.signature)}: {encode.input}, {self.takes.layout}, "
      f"pixels {_range_words(self.input_range)}{resized}",
      self._codes_words(),
      *(f"{printable(t.name)} is {value}" for t, value in encode.constants),
      *self._source_words(),
      *self.remarks,
    ]
    return "; ".join(parts)

  def _codes_words(self):
    roles, names = ["mean", self.spread], self.encode.outputs
    if self.spread and len(names) == 1:
      return f"mean and {self.spread} from the halves of {printable(names[0])}"
    pairs = zip(roles, names, strict=False)
    return ", ".join(f"{role} from {printable(name)}" for role, name in pairs)

  def _source_words(self):
    for role, source in (("decode", self.decode), ("reconstruct", self.reconstruct)):
      if source:
        call, given = source.call, self.decoder_output
        beside = call.signature == self.encode.signature
        which = f", {printable(call.outputs[0])}" if beside else ""
        what = f" as {given}" if given else ""
        yield f"{role} by {printable(call.signature)}{which}{what}"


def _range_words(limits):
  low, high = limits
  return "standardised" if np.ndim(low) else f"in [{low:g}, {high:g}]"


def _resized(images, sizes):
  import tensorflow as tf

  return tf.image.resize(images, sizes, antialias=True).numpy()
