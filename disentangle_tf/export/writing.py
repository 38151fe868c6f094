"""Writing an export."""

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.export.manifest import write_manifest
from disentangle_tf.output_files import whole_directory

_LEAST_VARIANCE = float(np.finfo(np.float32).tiny)


def write_export(model, directory, *, data, config_text="", seed=0, step=0):
  """Exports `model` for anyone to use without this project's code.

  The SavedModel's signatures take and give float32, images in [0, 1]:
    encode: images [N, H, W, C] -> mean, log_variance [N, latents] (also the default)
    decode: codes [N, latents] -> images
    reconstruct: images -> images
  A model without a decoder has only the first. A deterministic encoder's log_variance
  is the least that float32 holds, -87.3.

  Args:
    model: a `RepresentationModel`.
    directory: the export's folder; it appears whole or not at all.
    data: the `GroundTruthData` it was trained on.
    config_text, seed, step: what made it, for the manifest.

  Returns:
    `directory`.
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

  def reconstruct(images):
    return {"images": model.reconstruct(images)}

  archive = keras.export.ExportArchive()
  archive.track(model)
  archive.add_endpoint("encode", encode, [images])
  if model.decoder is not None:
    archive.add_endpoint("decode", decode, [codes])
    archive.add_endpoint("reconstruct", reconstruct, [images])
  with whole_directory(directory) as temporary:
    archive.write_out(str(temporary), verbose=False)
    write_manifest(
      temporary,
      data=data,
      latents=model.latents,
      config_text=config_text,
      seed=seed,
      step=step,
    )
  return directory
