"""A model from anywhere, looked at first and then run where it can do no harm."""

import contextlib
import os
import pathlib
import tempfile

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.foreign import model_files, running
from disentangle_tf.foreign.child_process import ChildProcess
from disentangle_tf.foreign.interface import choose_interface
from disentangle_tf.foreign.limits import Limits
from disentangle_tf.foreign.model_error import ModelError, printable
from disentangle_tf.foreign.reading import Reading
from disentangle_tf.foreign.saved_model_offers import saved_model_offers
from disentangle_tf.foreign.scan_keras import (
  keras_offers,
  read_keras_config,
  scan_keras,
)
from disentangle_tf.foreign.scan_onnx import onnx_offers, parse_onnx, scan_onnx
from disentangle_tf.foreign.scan_saved_model import (
  kind_of,
  main_graph,
  parse_saved_model,
  scan_saved_model,
)
from disentangle_tf.output_files import sha256_listing

MOST_LATENTS = 4096


class ForeignModel:
  """A SavedModel, TF-Hub module, ONNX or .keras file of whoever made it.

  Its files are copied to a private folder, the copy is looked at as data, and only if
  nothing speaks against it `open` loads the copy, in a confined process.

  Args:
    path: the model's folder or file.

  Attributes:
    verdict: the `Verdict` of the look at it.
    offers: what it offers, a list of `Offer`s.
    sha256: {file: sha256}.
    left_out: names of files that were not copied, because nothing reads them.

  Example:
    with ForeignModel("theirs/export") as model:
      model.open((64, 64, 1))
      mean, log_variance = model.encode_distribution(images)
  """

  def __init__(self, path):
    self.path = pathlib.Path(path)
    self._kind = model_files.find_kind(path)
    if self._kind in (None, "arrays"):
      raise UserError(_not_a_model(self.path))
    self._resources = contextlib.ExitStack()
    try:
      folder = self._resources.enter_context(tempfile.TemporaryDirectory())
      self._copy = pathlib.Path(folder) / "model"
      self.sha256, left_out = model_files.copy_model(self.path, self._copy)
      self._tags = None
      self.verdict, self.offers = self._look()
    except BaseException:
      self._resources.close()
      raise
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
  def num_latents(self):
    """How many numbers a code has."""
    blank = np.zeros((1, *self.interface.image_shape), np.float32)
    return self.encode_distribution(blank)[0].shape[1]

  @property
  def has_decoder(self):
    """Whether it can reconstruct."""
    return bool(self.interface.reconstruct or self.interface.decode)

  @property
  def has_log_variances(self):
    """Whether it tells how sure it is of its codes."""
    return self.interface.spread is not None

  def open(self, image_shape, *, reading=None, trusted=False, limits=None):
    """Decides how to call it, for images of this shape, and loads it.

    Args:
      image_shape: (height, width, channels), or (numbers,) for points.
      reading: the user's `Reading`.
      trusted: load it into this process, whatever the scan found.
      limits: `Limits` of the process it runs in.
    """
    if not (trusted or self.verdict.allowed):
      first, *others = self.verdict.findings
      more = f" (and {len(others)} more)" if others else ""
      raise ModelError(
        f"refused: {first}{more}; --scan_only shows all, --trusted loads what you made "
        "yourself"
      )
    self.interface = choose_interface(
      self.offers,
      image_shape,
      reading or Reading(),
      channels_first=self._kind == "onnx",
    )
    names = ("encode", "decode", "reconstruct")
    calls = {name: getattr(self.interface, name) for name in names}
    self._calls = {name: call for name, call in calls.items() if call}
    load = self._load_here if trusted else self._load_in_child
    self._ask = load(limits or Limits())

  def encode_distribution(self, images):
    """(means, log-variances or None), each float32 [N, latents]."""
    found = self._ask("encode", self.interface.prepare(images), 2 * MOST_LATENTS)
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
    return self._images("decode", np.asarray(codes, np.float32))

  def reconstruct(self, images):
    """Images in [0, 1] as the model gives them back."""
    if self.interface.reconstruct:
      return self._images("reconstruct", self.interface.prepare(images))
    return self.decode(self.encode_distribution(images)[0])

  def _images(self, name, array):
    shape = self.interface.image_shape
    sizes = (*self.interface.resize, shape[-1]) if self.interface.resize else shape
    found = self._ask(name, array, int(np.prod(sizes)))
    if found.shape[1] != np.prod(sizes):
      raise ModelError(f"{name} gives {found.shape[1]} numbers for an image of {sizes}")
    return self.interface.restore(found)

  def _look(self):
    """(verdict, offers); sets the tags of the graph to load."""
    if self._kind == "saved_model":
      saved_model = parse_saved_model((self._copy / "saved_model.pb").read_bytes())
      verdict = scan_saved_model(saved_model)
      if not saved_model.meta_graphs:
        return verdict, []
      graph = main_graph(saved_model)
      if kind_of(saved_model) != "TF 2 SavedModel":
        self._tags = sorted(graph.meta_info_def.tags)
      return verdict, saved_model_offers(graph)
    self._copy /= self.path.name
    if self._kind == "onnx":
      most = model_files.MOST_ONNX_BYTES
      if self._copy.stat().st_size > most:
        raise ModelError(f"refused: the ONNX file is larger than {most:,} bytes")
      model = parse_onnx(self._copy.read_bytes())
      return scan_onnx(model), onnx_offers(model)
    config, names = read_keras_config(self._copy)
    verdict = scan_keras(config, names)
    return verdict, keras_offers(config) if verdict.allowed else []

  def _load_in_child(self, limits):
    child = ChildProcess(self._kind, self._copy, self._tags, self._calls, limits)
    self._resources.callback(child.close)
    self.sandbox = child.sandbox
    return lambda name, array, most: child.ask(name, array, most=most)

  def _load_here(self, limits):
    try:
      model = running.load_model(self._kind, str(self._copy), self._tags)
    except Exception as error:
      raise ModelError(f"it cannot be loaded: {printable(error)}") from error
    self.sandbox = {"skipped": "--trusted: the model ran in the evaluator's process"}

    def ask(name, array, most):
      try:
        found = running.run(model, self._calls[name], array)
      except Exception as error:
        raise ModelError(f"{name} failed: {printable(error)}") from error
      if not np.isfinite(found).all():
        raise ModelError(f"{name} gave NaN or infinity")
      return found

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
  return (
    f"{path} is no model: name the folder of a SavedModel, or an .onnx, .keras, .npz "
    "or .npy file"
  )
