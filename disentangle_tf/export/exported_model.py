"""`ExportedModel`: an export of this project as an `AskableModel`."""

import os
import pathlib

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.export import manifest as manifests
from disentangle_tf.export.pixel_means import pixel_means
from disentangle_tf.tensor_float_32 import tensor_float_32


class ExportedModel:
  """An export of this project, loaded to encode and decode: an `AskableModel`.

  Args:
    directory: a folder written by `write_export`.

  Attributes:
    manifest: dictionary, see `read_manifest`.
    sha256: one hash for all files of the export.

  Raises:
    UserError: the folder does not exist or is not an export.
    ModelError: the manifest or a file is damaged.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import data, export, losses, models, networks
    >>> dataset = data.XYSquares(
    ...   image_size=8, square_size=4, grid_spacing=4, num_squares=1
    ... )
    >>> model = models.VAE(
    ...   networks.mlp_encoder((8, 8, 3), latents=2, units=(4,)),
    ...   networks.mlp_decoder((8, 8, 3), latents=2, units=(4,)),
    ...   losses.MSE(),
    ... )
    >>> folder = export.write_export(model, pathlib.Path("export"), data=dataset)
    >>> loaded = export.ExportedModel(folder)
    >>> loaded.observation_shape, loaded.num_latents
    ((8, 8, 3), 2)
  """

  def __init__(self, directory: str | os.PathLike) -> None:
    directory = pathlib.Path(directory)
    if not directory.is_dir():
      state = "is a file" if directory.exists() else "does not exist"
      raise UserError(f"{directory} {state}: name the folder of an export")
    self.manifest = manifests.read_manifest(directory)
    manifests.check_files(directory, self.manifest)
    self.sha256 = manifests.model_sha256(self.manifest)
    self._signatures = tf.saved_model.load(str(directory)).signatures
    self._pixel_means = pixel_means(self.manifest, self.observation_shape)

  @property
  def observation_shape(self) -> tuple[int, ...]:
    """(height, width, channels) of the images it takes."""
    _, arguments = self._signatures["encode"].structured_input_signature
    return tuple(arguments["images"].shape[1:])

  @property
  def num_latents(self) -> int:
    """Number of latents."""
    return self.manifest["latents"]

  @property
  def has_log_variances(self) -> bool:
    """True: for a deterministic encoder, log-variances are -87.3."""
    return True

  @property
  def can_decode(self) -> bool:
    """Whether it has a decoder."""
    return "decode" in self._signatures

  @property
  def can_reconstruct(self) -> bool:
    """Whether it has a decoder."""
    return "reconstruct" in self._signatures

  def encode(self, images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and log-variances of images [N, H, W, C], each [N, latents]."""
    outputs = self._call("encode", images=images)
    return outputs["mean"], outputs["log_variance"]

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Images in [0, 1] of `codes` [N, latents]."""
    return self._call("decode", codes=codes)["images"]

  @property
  def can_decode_unclipped(self) -> bool:
    """Whether it has a decoder and its manifest records the loss."""
    return self._pixel_means is not None and "decode_parameters" in self._signatures

  def decode_unclipped(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of `codes`, not clipped to [0, 1] if the loss is known."""
    if self._pixel_means is None or not self.can_decode_unclipped:
      return self.decode(codes)
    return self._pixel_means(self._call("decode_parameters", codes=codes)["parameters"])

  def reconstruct(self, images: np.ndarray) -> np.ndarray:
    """Images in [0, 1] decoded from the codes' means."""
    (images,) = self._call("reconstruct", images=images).values()
    return images

  @tensor_float_32(False)
  def _call(self, name: str, **arrays: np.ndarray) -> dict[str, np.ndarray]:
    if name not in self._signatures:
      raise UserError(f"this model has no {name}: it has {', '.join(self._signatures)}")
    tensors = {key: tf.constant(value, tf.float32) for key, value in arrays.items()}
    return {k: np.asarray(v) for k, v in self._signatures[name](**tensors).items()}
