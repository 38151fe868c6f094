"""Signatures of an export: encode, decode, decode_parameters, reconstruct."""

import numpy as np
import tensorflow as tf

_LEAST_VARIANCE = float(np.finfo(np.float32).tiny)


def signatures(model):
  """{name: (function that gives named tensors, spec of its input)} of a model.

  Takes and gives float32, images in [0, 1]:
    encode: images [N, H, W, C] -> mean, log_variance [N, latents]
    decode: codes [N, latents] -> images
    decode_parameters: codes -> what the decoder itself gives, for likelihoods
    reconstruct: images -> reconstructions
  A model without a decoder has only the first. A deterministic encoder's log_variance
  is the least that float32 holds, -87.3. No input and output share a name, which ONNX
  would not have.

  Args:
    model: a `RepresentationModel`.
  """
  images = tf.TensorSpec((None, *model.encoder.input_shape[1:]), name="images")
  codes = tf.TensorSpec((None, model.latents), name="codes")

  def encode(images):
    posterior = model.encode(images)
    return {
      "mean": posterior.mean(),
      "log_variance": tf.math.log(tf.maximum(posterior.variance(), _LEAST_VARIANCE)),
    }

  def decode(codes):
    return {"images": model.decode_images(codes)}

  def decode_parameters(codes):
    return {"parameters": model.decode(codes)}

  def reconstruct(images):
    return {"reconstructions": model.reconstruct(images)}

  found = {"encode": (encode, images)}
  if model.decoder is not None:
    found["decode"] = decode, codes
    found["decode_parameters"] = decode_parameters, codes
    found["reconstruct"] = reconstruct, images
  return found
