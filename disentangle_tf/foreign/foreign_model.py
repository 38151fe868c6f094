"""A foreign model: its files are copied, scanned, and run in a sandbox."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
import time
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.export.manifest import is_export
from disentangle_tf.foreign.copy_model import copy_model
from disentangle_tf.foreign.interface.detect_interface import choose_interface
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.model_files import explain_no_model, find_kind
from disentangle_tf.foreign.other_formats import describe_other_format
from disentangle_tf.foreign.sandbox import running
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.foreign.sandbox.sandboxed_model import ConfinedModel, check_answer
from disentangle_tf.foreign.scan.scan import look
from disentangle_tf.output_files import sha256_listing
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Callable, Iterator, Mapping, Sequence
  from typing import Self

  from numpy.typing import ArrayLike

  from disentangle_tf.foreign.interface.call import ImageSource
  from disentangle_tf.foreign.interface.interface import Interface

  Ask = Callable[[str, np.ndarray, int], np.ndarray]


class ForeignModel:
  """A foreign model: a SavedModel, a TF-Hub module, an ONNX or a .keras file.

  Creating it copies its files to a private folder and scans the copy as data, without
  running anything of it. `open` refuses the model if the scan found a reason to, and
  otherwise loads the copy in a sandbox: a process without network, files or rights.
  Use it as a context manager: leaving it ends the sandbox and deletes the copy.

  An opened model is an `AskableModel`. Every failure of the model is a `ModelError`.

  Args:
    path: the model's folder or file.
    limits: `Limits` of the processes that scan it and run it.

  Attributes:
    path: the model's folder or file.
    verdict: the `Verdict` of the scan.
    offers: its functions, a list of `Offer`s.
    sha256: {relative name of a file: its sha256}.
    left_out: names of files that were not copied, because nothing reads them.
    sandbox: {part of the system: how the sandbox is cut off from it}; None until the
      model is open.

  Raises:
    UserError: there is no model at the path.
    ModelError: the files are damaged, too many, too large, or links.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import foreign
    >>> model = tf.Module()
    >>> model.encode = tf.function(
    ...   lambda images: {"mean": tf.reduce_sum(images, axis=[1, 2])},
    ...   input_signature=[tf.TensorSpec([None, 4, 4, 2], name="images")],
    ... )
    >>> tf.saved_model.save(model, "sums", signatures={"encode": model.encode})
    >>> with foreign.ForeignModel("sums") as opened:
    ...   opened.verdict.allowed
    ...   opened.open((4, 4, 2), trusted=True)  # by default it runs in a sandbox
    ...   means, log_variances = opened.encode(tf.ones([3, 4, 4, 2]).numpy())
    True
    >>> means[0].tolist(), log_variances
    ([16.0, 16.0], None)
  """

  def __init__(self, path: str | os.PathLike, limits: Limits | None = None) -> None:
    self.path = pathlib.Path(path)
    self._limits = limits or Limits()
    self._kind = find_kind(path)
    if self._kind is None and is_export(self.path):
      raise ModelError(f"{path} is damaged: saved_model.pb is missing; export it again")
    if self._kind in (None, "arrays"):
      raise UserError(explain_no_model(self.path))
    if line := describe_other_format(self.path):
      raise ModelError(line)  # its name hides its format
    self._resources = contextlib.ExitStack()
    try:
      folder = self._resources.enter_context(tempfile.TemporaryDirectory())
      self._copy = pathlib.Path(folder) / "model"
      self.sha256, left_out = copy_model(self.path, self._copy)
      if self.path.is_file():
        self._copy /= self.path.name
      self._look = look(self._kind, self._copy, self._limits)
    except BaseException:
      self._resources.close()
      raise
    self.verdict, self.offers = self._look.verdict, self._look.offers
    self.left_out = left_out
    self.sandbox: Mapping[str, str | float] | None = None
    self._interface: Interface | None = None

  def __enter__(self) -> Self:
    return self

  def __exit__(self, *exception: object) -> None:
    self._resources.close()

  @property
  def interface(self) -> Interface:
    """How the opened model is called: its `Interface`."""
    if self._interface is None:
      raise UserError("the model is not open: call open(image_shape) first")
    return self._interface

  @property
  def sha256_of_all(self) -> str:
    """One sha256 of the names and hashes of all its files."""
    return sha256_listing(self.sha256)

  @property
  def manifest_folder(self) -> pathlib.Path | None:
    """The folder of its manifest.json; None if it has no manifest."""
    return self._copy if "manifest.json" in self.sha256 else None

  @property
  def image_shape(self) -> tuple[int, ...]:
    """(height, width, channels) of the images it takes, read from its signatures.

    Raises a `UserError` if no signature states them in full.
    """
    for offer in self.offers:
      for tensor in offer.inputs:
        shape = tuple(size for size in (tensor.shape or ())[1:] if size)
        if len(shape) == 3 and tensor.shape and len(tensor.shape) == 4:
          return shape
    raise UserError(f"{self.path} does not state the size of its images: add --data")

  @property
  def observation_shape(self) -> tuple[int, ...]:
    """(height, width, channels) of the images that it was opened for."""
    return self.interface.image_shape

  @property
  def num_latents(self) -> int:
    """The number of latents: the numbers in a code."""
    blank = np.zeros((1, *self.observation_shape), np.float32)
    return self.encode(blank)[0].shape[1]

  @property
  def can_decode(self) -> bool:
    """Whether it decodes codes to images."""
    return self.interface.decode is not None

  @property
  def can_reconstruct(self) -> bool:
    """Whether it reconstructs images."""
    return bool(self.interface.reconstruct or self.interface.decode)

  @property
  def has_log_variances(self) -> bool:
    """Whether `encode` gives log-variances."""
    return self.interface.spread is not None

  def open(
    self,
    image_shape: Sequence[int],
    *,
    reading: Reading | None = None,
    standardisation: tuple[ArrayLike, ArrayLike] | None = None,
    pixel_means: Callable[[np.ndarray], np.ndarray] | None = None,
    trusted: bool = False,
    limits: Limits | None = None,
  ) -> None:
    """Detect how to call the model for images of this shape, and load it.

    Args:
      image_shape: (height, width, channels) of the images, or (numbers,) of points.
      reading: what the user states of the model; everything else is detected.
      standardisation: (mean, standard deviation) of the data set, needed if the reading
        asks for standardised images.
      pixel_means: function from decoder parameters to means of pixels, from
        `export.pixel_means` of its manifest.
      trusted: load the model into this process even if the scan refuses it. Only for
        models that you made yourself.
      limits: `Limits` of the process that runs it, if they differ from the scan's.

    Raises:
      ModelError: the scan refuses the model, or it cannot be loaded.
      UserError: no function fits these images; the message says what to state.
    """
    if not trusted:
      self.verdict.check_allowed()
    if not self.offers:
      raise ModelError(
        "it does not state its inputs and outputs: export it as a SavedModel, by "
        "model.export(), or as ONNX"
      )
    self._interface = choose_interface(
      self.offers,
      image_shape,
      reading or Reading(),
      channels_first=self._kind == "onnx",
      standardisation=standardisation,
    )
    self._calls = self._interface.calls
    self._pixel_means = pixel_means if self.has_parameters else None
    self._limits = limits or self._limits
    self._seconds = 0.0
    load = self._load_here if trusted else self._load_in_child
    with self._counted():
      self._ask_uncounted = load(self._limits)

  def encode(self, images: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Encode images.

    Args:
      images: float [N, height, width, channels] in [0, 1].

    Returns:
      (means, log-variances), each float32 [N, latents]; None instead of log-variances
      if the model gives none (`has_log_variances`).
    """
    found = self._ask(
      "encode", self.interface.prepare(images), 2 * self._limits.latents
    )
    if self.interface.mean_is_a_guess and found.shape[1] == self.interface.takes.size:
      name = printable(self.interface.encode.outputs[0])
      raise UserError(
        f"{name} has as many numbers as an image: name the mean with output_key "
        f"NAME, and if {name} is an image, add output_key reconstruction={name}"
      )
    if not self.has_log_variances:
      return found, None
    if found.shape[1] % 2:
      raise ModelError("the model gives different numbers of means and spreads")
    mean, spread = np.split(found, 2, axis=1)
    log_variances = self.interface.log_variances(spread)
    if not np.isfinite(log_variances).all():
      raise ModelError(
        f"the model's {self.interface.spread} is not one: see output_key"
      )
    return mean, log_variances

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Decode codes [N, latents] to images [N, height, width, channels] in [0, 1]."""
    interface = self.interface
    return interface.restore(self._decoded("decode", codes), interface.decode)

  @property
  def can_decode_unclipped(self) -> bool:
    """Whether `decode_unclipped` gives means of pixels that were never clipped."""
    interface = self.interface
    bounded = interface.decoder_output in ("logits", "probabilities")
    known = bounded or interface.takes.layout == "points"
    return self.can_decode and (known or self._pixel_means is not None)

  def decode_unclipped(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of codes [N, latents], not clipped to [0, 1] here."""
    if self._pixel_means is not None:
      return self._pixel_means(self.decode_parameters(codes))
    interface = self.interface
    found = self._decoded("decode", codes)
    return interface.restore(found, interface.decode, clip=False)

  def decode_logits(self, codes: np.ndarray) -> np.ndarray:
    """Logits of the pixels of codes [N, latents]; needs `interface.is_bernoulli`."""
    return self.interface.logits(self._decoded("decode", codes))

  @property
  def has_parameters(self) -> bool:
    """Whether `decode_parameters` gives the decoder's own output."""
    return self.interface.decode_parameters is not None

  def decode_parameters(self, codes: np.ndarray) -> np.ndarray:
    """The decoder's own output for codes [N, latents], in the images' shape."""
    source = self._source("decode_parameters")
    return source.format.images(self._decoded("decode_parameters", codes))

  def reconstruct(self, images: np.ndarray, *, clip: bool = True) -> np.ndarray:
    """Reconstruct images: decode the means of their codes.

    Args:
      images: float [N, height, width, channels] in [0, 1].
      clip: whether to clip the result to [0, 1].

    Returns:
      Images of the same shape.
    """
    interface = self.interface
    if interface.reconstruct:
      found = self._ask_for_images("reconstruct", interface.prepare(images))
    else:
      found = self._decoded("decode", self.encode(images)[0])
    source = interface.reconstruct or interface.decode
    return interface.restore(found, source, clip=clip)

  def _source(self, name: str) -> ImageSource:
    """The source of images that the interface has for `name`, such as "decode"."""
    source = getattr(self.interface, name)
    if source is None:
      raise UserError(f"the model has no function to {name}")
    return source

  def _ask(self, name: str, array: np.ndarray, most: int) -> np.ndarray:
    with self._counted():
      return self._ask_uncounted(name, array, most)

  @contextlib.contextmanager
  def _counted(self) -> Iterator[None]:
    """Add to the time that the model has taken, and bound it."""
    started = time.monotonic()
    yield
    self._seconds += time.monotonic() - started
    if self._seconds > self._limits.total_seconds:
      raise ModelError(
        f"the model took more than {self._limits.total_seconds:g} s in all and was "
        "stopped (--limit_total_seconds)"
      )

  def _decoded(self, name: str, codes: np.ndarray) -> np.ndarray:
    codes = np.asarray(codes, np.float32)
    shape = self._source(name).call.input.shape
    if shape and len(shape) == 4:  # a code as an image of one pixel
      sizes = (1, 1, -1) if shape[1:3] == (1, 1) else (-1, 1, 1)
      codes = codes.reshape(len(codes), *sizes)
    return self._ask_for_images(name, codes)

  def _ask_for_images(self, name: str, array: np.ndarray) -> np.ndarray:
    shown = self._source(name).format
    found = self._ask(name, array, shown.size)
    if found.shape[1] != shown.size:
      raise ModelError(
        f"{name} gives {found.shape[1]} numbers for an image of shape {shown.shape}"
      )
    return found

  def _load_in_child(self, limits: Limits) -> Ask:
    look = self._look
    child = ConfinedModel(look.kind, self._copy, look.tags, self._calls, limits)
    self._resources.callback(child.close)
    self.sandbox = child.sandbox
    return lambda name, array, most: child.ask(name, array, most=most)

  def _load_here(self, limits: Limits) -> Ask:
    try:
      look = self._look
      model = running.load_model(look.kind, str(self._copy), look.tags, trusted=True)
    except Exception as error:
      raise ModelError(f"it cannot be loaded: {printable(error)}") from error
    self.sandbox = {"skipped": "--trusted: the model ran in the evaluator's process"}

    def ask(name: str, array: np.ndarray, most: int) -> np.ndarray:
      try:
        found = running.run(model, self._calls[name], array)
      except Exception as error:
        raise ModelError(f"{name} failed: {printable(error)}") from error
      return check_answer(found, most)

    return ask
