"""A stranger's model: copied, looked at, and then run in a confined process."""

import contextlib
import os
import pathlib
import tempfile
import time

import numpy as np

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.export.manifest import is_export
from disentangle_tf.foreign.choose.choose_interface import choose_interface
from disentangle_tf.foreign.choose.reading import Reading
from disentangle_tf.foreign.confine import running
from disentangle_tf.foreign.confine.check_answer import check_answer
from disentangle_tf.foreign.confine.confined_model import ConfinedModel
from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.foreign.copy_model import copy_model
from disentangle_tf.foreign.find_kind import find_kind
from disentangle_tf.foreign.look.look import look
from disentangle_tf.foreign.other_formats import describe_other_format
from disentangle_tf.output_files import sha256_listing
from disentangle_tf.strangers_text import printable


class ForeignModel:
  """A SavedModel, TF-Hub module, ONNX or .keras file of whoever made it.

  Once opened it is an `AskableModel`.

  Its files are copied to a private folder, the copy is looked at as data, and only if
  nothing speaks against it `open` loads the copy, in a confined process.

  Args:
    path: the model's folder or file.
    limits: `Limits` of the processes that look at it and run it.

  Attributes:
    verdict: the `Verdict` of the look at it.
    offers: what it offers, a list of `Offer`s.
    sha256: {file: sha256}.
    left_out: names of files that were not copied, because nothing reads them.

  Example:
    with ForeignModel("theirs/export") as model:
      model.open((64, 64, 1))
      mean, log_variance = model.encode(images)
  """

  def __init__(self, path, limits=None):
    self.path = pathlib.Path(path)
    self._limits = limits or Limits()
    self._kind = find_kind(path)
    if self._kind is None and is_export(self.path):
      raise ModelError(f"{path} is damaged: saved_model.pb is missing; export it again")
    if self._kind in (None, "arrays"):
      raise UserError(_not_a_model(self.path))
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
    self.interface = self.sandbox = None

  def __enter__(self):
    return self

  def __exit__(self, *exception):
    self._resources.close()

  @property
  def sha256_of_all(self):
    """One sha256 for all its files: of their names and hashes."""
    return sha256_listing(self.sha256)

  @property
  def manifest_folder(self):
    """The folder with its manifest.json, None without one."""
    return self._copy if "manifest.json" in self.sha256 else None

  @property
  def image_shape(self):
    """The shape of images it takes, if a signature tells it in full."""
    for offer in self.offers:
      for tensor in offer.inputs:
        if tensor.shape and len(tensor.shape) == 4 and all(tensor.shape[1:]):
          return tensor.shape[1:]
    raise UserError(f"{self.path} does not tell the size of its images: add --data")

  @property
  def observation_shape(self):
    """The shape of the images that it was opened for."""
    return self.interface.image_shape

  @property
  def num_latents(self):
    """How many numbers a code has."""
    blank = np.zeros((1, *self.observation_shape), np.float32)
    return self.encode(blank)[0].shape[1]

  @property
  def can_decode(self):
    """Whether it gives images of codes."""
    return self.interface.decode is not None

  @property
  def can_reconstruct(self):
    """Whether it gives images of images."""
    return bool(self.interface.reconstruct or self.interface.decode)

  @property
  def has_log_variances(self):
    """Whether it tells how sure it is of its codes."""
    return self.interface.spread is not None

  def open(
    self,
    image_shape,
    *,
    reading=None,
    standardisation=None,
    pixel_means=None,
    trusted=False,
    limits=None,
  ):
    """Decides how to call it, for images of this shape, and loads it.

    Args:
      image_shape: (height, width, channels), or (numbers,) for points.
      reading: the user's `Reading`.
      standardisation: (mean, std) of the data set, if the reading asks for it.
      pixel_means: what `export.pixel_means` makes of its manifest.
      trusted: load it into this process, whatever the scan found.
      limits: `Limits` of the process it runs in, if other ones than for the look.
    """
    if not trusted:
      self.verdict.check_allowed()
    if not self.offers:
      raise ModelError(
        "it does not tell what it takes and gives: export it as a SavedModel, by "
        "model.export(), or as ONNX"
      )
    self.interface = choose_interface(
      self.offers,
      image_shape,
      reading or Reading(),
      channels_first=self._kind == "onnx",
      standardisation=standardisation,
    )
    self._calls = self.interface.calls
    self._pixel_means = pixel_means if self.has_parameters else None
    self._limits = limits or self._limits
    self._seconds = 0.0
    load = self._load_here if trusted else self._load_in_child
    with self._counted():
      self._ask_uncounted = load(self._limits)

  def encode(self, images):
    """(means, log-variances or None), each float32 [N, latents]."""
    found = self._ask(
      "encode", self.interface.prepare(images), 2 * self._limits.latents
    )
    if self.interface.mean_is_a_guess and found.shape[1] == self.interface.takes.size:
      name = printable(self.interface.encode.outputs[0])
      raise UserError(
        f"{name} has as many numbers as an image: name the mean with --output_key "
        f"NAME, and if {name} is an image, add --output_key reconstruction={name}"
      )
    if not self.has_log_variances:
      return found, None
    if found.shape[1] % 2:
      raise ModelError("the means and their spreads differ in number")
    mean, spread = np.split(found, 2, axis=1)
    log_variances = self.interface.log_variances(spread)
    if not np.isfinite(log_variances).all():
      raise ModelError(
        f"the model's {self.interface.spread} is not one: see --output_key"
      )
    return mean, log_variances

  def decode(self, codes):
    """Images in [0, 1] of codes [N, latents]."""
    interface = self.interface
    return interface.restore(self._decoded("decode", codes), interface.decode)

  @property
  def can_decode_unclipped(self):
    """Whether it tells means of the pixels that nothing can have clipped."""
    interface = self.interface
    bounded = interface.decoder_output in ("logits", "probabilities")
    known = bounded or interface.takes.layout == "points"
    return self.can_decode and (known or self._pixel_means is not None)

  def decode_unclipped(self, codes):
    """Means of the pixels of codes [N, latents], clipped only by the model itself."""
    if self._pixel_means is not None:
      return self._pixel_means(self.decode_parameters(codes))
    interface = self.interface
    found = self._decoded("decode", codes)
    return interface.restore(found, interface.decode, clip=False)

  def decode_logits(self, codes):
    """Logits of the pixels of codes [N, latents], of an `is_bernoulli` interface."""
    return self.interface.logits(self._decoded("decode", codes))

  @property
  def has_parameters(self):
    """Whether it gives the decoder's own output."""
    return self.interface.decode_parameters is not None

  def decode_parameters(self, codes):
    """The decoder's own output for codes [N, latents], in the images' shape."""
    found = self._decoded("decode_parameters", codes)
    return self.interface.decode_parameters.format.images(found)

  def reconstruct(self, images, *, clip=True):
    """Images in [0, 1] as the model gives them back.

    Args:
      images: [N, ...], as the data set has them.
      clip: whether values beyond [0, 1] are cut off.
    """
    interface = self.interface
    if interface.reconstruct:
      source, array = interface.reconstruct, interface.prepare(images)
      found = self._ask_for_images("reconstruct", array)
    else:
      source, codes = interface.decode, self.encode(images)[0]
      found = self._decoded("decode", codes)
    return interface.restore(found, source, clip=clip)

  def _ask(self, name, array, most):
    with self._counted():
      return self._ask_uncounted(name, array, most)

  @contextlib.contextmanager
  def _counted(self):
    """Adds to the time that the model has taken, and minds when it is too much."""
    started = time.monotonic()
    yield
    self._seconds += time.monotonic() - started
    if self._seconds > self._limits.total_seconds:
      raise ModelError(
        f"the model took more than {self._limits.total_seconds:g} s in all and was "
        "stopped (--limit_total_seconds)"
      )

  def _decoded(self, name, codes):
    codes = np.asarray(codes, np.float32)
    shape = self._calls[name].input.shape
    if shape and len(shape) == 4:  # a code as an image of one pixel
      sizes = (1, 1, -1) if shape[1:3] == (1, 1) else (-1, 1, 1)
      codes = codes.reshape(len(codes), *sizes)
    return self._ask_for_images(name, codes)

  def _ask_for_images(self, name, array):
    shown = getattr(self.interface, name).format
    found = self._ask(name, array, shown.size)
    if found.shape[1] != shown.size:
      raise ModelError(
        f"{name} gives {found.shape[1]} numbers for an image of {shown.shape}"
      )
    return found

  def _load_in_child(self, limits):
    look = self._look
    child = ConfinedModel(look.kind, self._copy, look.tags, self._calls, limits)
    self._resources.callback(child.close)
    self.sandbox = child.sandbox
    return lambda name, array, most: child.ask(name, array, most=most)

  def _load_here(self, limits):
    try:
      look = self._look
      model = running.load_model(look.kind, str(self._copy), look.tags, trusted=True)
    except Exception as error:
      raise ModelError(f"it cannot be loaded: {printable(error)}") from error
    self.sandbox = {"skipped": "--trusted: the model ran in the evaluator's process"}

    def ask(name, array, most):
      try:
        found = running.run(model, self._calls[name], array)
      except Exception as error:
        raise ModelError(f"{name} failed: {printable(error)}") from error
      return check_answer(found, most)

    return ask


def _not_a_model(path):
  if not path.exists():
    return f"{path} does not exist: name a model's folder or file"
  if path.is_dir():
    names = ", ".join(printable(name) for name in sorted(os.listdir(path))[:8])
    inside = f", but {names}" if names else ", it is empty"
    return (
      f"{path} is no model: it has no saved_model.pb{inside} "
      "(bin/train.py writes exports to OUTPUT_DIR/export)"
    )
  return describe_other_format(path) or (
    f"{path} is no model: name the folder of a SavedModel, or an .onnx, .keras, .npz "
    "or .npy file"
  )
