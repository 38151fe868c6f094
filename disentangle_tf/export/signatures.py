"""Signatures of an export: encode, decode, decode_parameters, reconstruct."""

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

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
