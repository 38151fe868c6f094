"""The interface of a foreign model: images in, codes and images out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from disentangle_tf.foreign.interface.call import Call, ImageSource
from disentangle_tf.foreign.interface.tensors import ImageFormat
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Iterator


OTHER_CHANNELS = {1: 3, 3: 1}
_LUMINANCE = np.array([0.299, 0.587, 0.114], np.float32)  # ITU-R BT.601


def with_channels(images: np.ndarray, channels: int) -> np.ndarray:
  """Convert images [..., C] to a number of channels.

  One channel is repeated to three; three become one by their luminance.
  """
  given = images.shape[-1]
  if given == channels:
    return images
  if (given, channels) == (1, 3):
    return np.repeat(images, 3, axis=-1)
  return (images @ _LUMINANCE)[..., None]


_TINY = np.finfo(np.float32).tiny

SPREADS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
  "log_variance": lambda x: x,
  "variance": lambda x: np.log(np.maximum(x, _TINY)),
  "scale": lambda x: 2 * np.log(np.maximum(x, _TINY)),
  "log_scale": lambda x: 2 * x,
}


# Lowest and highest pixel value, each a number or one per channel.
PixelRange = tuple[float | tuple[float, ...], float | tuple[float, ...]]
_LEAST_PROBABILITY = 1e-6  # as in losses.Bernoulli


@dataclasses.dataclass(frozen=True)
class Interface:
  """How a model is called, with images and with codes.

  Attributes:
    image_shape: shape of the data set's images.
    encode: the `Call` that gives the mean and its spread, in two outputs or in one.
    takes: the `ImageFormat` of the encoder's input.
    spread: the kind of spread beside the mean, a key of `SPREADS`, or None.
    mean_is_a_guess: whether another output or an image may be the mean.
    decode, reconstruct: `ImageSource`s, or None.
    decode_parameters: the `ImageSource` of the decoder's own output, or None.
    input_range: lowest and highest pixel value, each a number, or one per channel.
    output_range: the same for the images that the model gives.
    decoder_output: the kind of its output, if the user states it: "logits",
      "probabilities" or "standardised".
    resize: (height, width), or None.
    remarks: assumptions, one line each.
    doubts: what may be wrong and how to correct it, one line each.
  """

  image_shape: tuple[int, ...]
  encode: Call
  takes: ImageFormat
  spread: str | None = None
  mean_is_a_guess: bool = False
  decode: ImageSource | None = None
  reconstruct: ImageSource | None = None
  decode_parameters: ImageSource | None = None
  input_range: PixelRange = (0.0, 1.0)
  output_range: PixelRange = (0.0, 1.0)
  decoder_output: str | None = None
  resize: tuple[int, ...] | None = None
  remarks: tuple[str, ...] = ()
  doubts: tuple[str, ...] = ()

  @property
  def calls(self) -> dict[str, Call]:
    """{name: `Call`} of everything that the model can compute."""
    names = ("decode", "reconstruct", "decode_parameters")
    sources = {name: getattr(self, name) for name in names}
    given = {name: source.call for name, source in sources.items() if source}
    return {"encode": self.encode, **given}

  @property
  def is_bernoulli(self) -> bool:
    """Whether it decodes codes to a probability for each pixel of the data."""
    return bool(
      self.decoder_output in ("logits", "probabilities")
      and self.decode
      and self.takes.layout != "points"
      and self.takes.shape == self.image_shape
    )

  def log_variances(self, values: np.ndarray) -> np.ndarray:
    """Convert the spread beside the mean to log-variances."""
    with np.errstate(over="ignore"):  # the caller checks the result
      return SPREADS[self.spread or "log_variance"](values)

  def prepare(self, images: np.ndarray) -> np.ndarray:
    """Convert images [N, H, W, C] in [0, 1] to the model's input."""
    images = np.asarray(images, np.float32)
    if self.resize:
      images = _resized(images, self.resize)
    low, high = (np.array(value, np.float32) for value in self.input_range)
    images = low + (high - low) * images
    images = with_channels(images, self.takes.shape[-1])
    if self.encode.input.dtype.startswith(("int", "uint")):
      images = np.rint(images)
    return self.takes.arrange(images)

  def restore(
    self, outputs: np.ndarray, source: ImageSource | None = None, *, clip: bool = True
  ) -> np.ndarray:
    """Convert a model's output to images of the data set, [N, H, W, C] in [0, 1].

    Args:
      outputs: [N, ...].
      source: the `ImageSource` of the output; None if it has the input's format.
      clip: whether to clip images to [0, 1]; points are never clipped.
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

  def logits(self, outputs: np.ndarray) -> np.ndarray:
    """Convert the output of a Bernoulli decoder to logits [N, H, W, C]."""
    shown = self.decode.format if self.decode else self.takes
    images = shown.images(outputs)
    if self.decoder_output == "logits":
      return images
    kept = np.clip(images, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    return np.log(kept) - np.log1p(-kept)

  def describe(self) -> str:
    """Describe in one line how the model is called."""
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

  def _codes_words(self) -> str:
    roles, names = ["mean", self.spread], self.encode.outputs
    if self.spread and len(names) == 1:
      return f"mean and {self.spread} from the halves of {printable(names[0])}"
    pairs = zip(roles, names, strict=False)
    return ", ".join(f"{role} from {printable(name)}" for role, name in pairs)

  def _source_words(self) -> Iterator[str]:
    for role, source in (("decode", self.decode), ("reconstruct", self.reconstruct)):
      if source:
        call, given = source.call, self.decoder_output
        beside = call.signature == self.encode.signature
        which = f", {printable(call.outputs[0])}" if beside else ""
        what = f" as {given}" if given else ""
        yield f"{role} by {printable(call.signature)}{which}{what}"


def _range_words(limits: PixelRange) -> str:
  low, high = limits
  return "standardised" if np.ndim(low) else f"in [{low:g}, {high:g}]"


def _resized(images: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
  import tensorflow as tf

  return tf.image.resize(images, sizes, antialias=True).numpy()
