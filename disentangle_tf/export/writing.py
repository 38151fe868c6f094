"""Write an export: the SavedModel with its signatures, and the manifest."""

import os
from collections.abc import Callable, Mapping
from typing import Any

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.data import GroundTruthData
from disentangle_tf.export.manifest import write_manifest
from disentangle_tf.export.model_description import model_to_config
from disentangle_tf.output_files import whole_directory

_LEAST_VARIANCE = float(np.finfo(np.float32).tiny)


def signatures(model: Any) -> dict[str, tuple[Callable, tf.TensorSpec]]:
  """{name: (function that returns named tensors, spec of its input)} of a model.

  Inputs and outputs are float32, images in [0, 1]:
    encode: images [N, H, W, C] -> mean, log_variance [N, latents]
    decode: codes [N, latents] -> images
    decode_parameters: codes -> the decoder's output, for likelihoods
    reconstruct: images -> reconstructions
  A model without a decoder has only `encode`. A deterministic encoder's log_variance is
  that of the least positive float32, -87.3. ONNX does not allow an input and an output
  of the same name.

  Args:
    model: a `RepresentationModel`.
  """
  images = tf.TensorSpec((None, *model.encoder.input_shape[1:]), name="images")
  codes = tf.TensorSpec((None, model.latents), name="codes")

  def encode(images: tf.Tensor) -> dict[str, tf.Tensor]:
    posterior = model.encode(images)
    return {
      "mean": posterior.mean(),
      "log_variance": tf.math.log(tf.maximum(posterior.variance(), _LEAST_VARIANCE)),
    }

  def decode(codes: tf.Tensor) -> dict[str, tf.Tensor]:
    return {"images": model.decode_images(codes)}

  def decode_parameters(codes: tf.Tensor) -> dict[str, tf.Tensor]:
    return {"parameters": model.decode(codes)}

  def reconstruct(images: tf.Tensor) -> dict[str, tf.Tensor]:
    return {"reconstructions": model.reconstruct(images)}

  found: dict[str, tuple[Callable, tf.TensorSpec]] = {"encode": (encode, images)}
  if model.decoder is not None:
    found["decode"] = decode, codes
    found["decode_parameters"] = decode_parameters, codes
    found["reconstruct"] = reconstruct, images
  return found


def write_export(
  model: Any,
  directory: str | os.PathLike,
  *,
  data: GroundTruthData,
  config_text: str = "",
  hyper_parameters: Mapping | None = None,
  seed: int = 0,
  step: int = 0,
  overwrite: bool = False,
) -> Any:
  """Export a model as a SavedModel that works without this project's code.

  The SavedModel has the signatures encode (also the default, and as `serve`), decode,
  decode_parameters and reconstruct. The manifest describes the model and lists a sha256
  of every file.

  Args:
    model: a `models.RepresentationModel`.
    directory: the export's folder; it is written completely or not at all.
    data: the `data.GroundTruthData` that the model was trained on.
    config_text: the configuration of the training, for the manifest.
    hyper_parameters: {name: number, truth value or string}, for the manifest.
    seed: of the training, for the manifest.
    step: number of training steps, for the manifest.
    overwrite: whether to move an existing folder aside.

  Returns:
    `directory`.

  Raises:
    UserError: the folder exists and `overwrite` is false.

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
    >>> sorted(path.name for path in folder.iterdir() if path.is_file())
    ['fingerprint.pb', 'manifest.json', 'saved_model.pb']
  """
  archive: Any = keras.export.ExportArchive()
  archive.track(model)
  endpoints = signatures(model)
  endpoints["serve"] = endpoints["encode"]  # which keras.layers.TFSMLayer calls
  for name, (function, spec) in endpoints.items():
    archive.add_endpoint(name, function, [spec])
  with whole_directory(directory, overwrite=overwrite) as temporary:
    archive.write_out(str(temporary), verbose=False)
    write_manifest(
      temporary,
      data=data,
      latents=model.latents,
      model=model_to_config(model),
      config_text=config_text,
      hyper_parameters=hyper_parameters or {},
      seed=seed,
      step=step,
    )
  return directory
