"""Writing an export."""

import keras
import tensorflow as tf

from disentangle_tf.export.manifest import write_manifest
from disentangle_tf.output_files import whole_directory


def write_export(model, directory, *, data, config_text="", seed=0, step=0):
  """Exports `model` for anyone to use without this project's code.

  The SavedModel's signatures take and give float32, images in [0, 1]:
    encode: images [N, H, W, C] -> mean, log_variance [N, latents] (also the default)
    decode: codes [N, latents] -> images
    reconstruct: images -> images

  Args:
    model: a `VAE`.
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
      "log_variance": tf.math.log(posterior.variance()),
    }

  def decode(codes):
    return {"images": model.decode_images(codes)}

  def reconstruct(images):
    return {"images": model.reconstruct(images)}

  archive = keras.export.ExportArchive()
  archive.track(model)
  archive.add_endpoint("encode", encode, [images])
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
