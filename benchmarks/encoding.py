"""Images per second that are encoded, beside those of a training step.

The model is the paper's convolutional beta-VAE: live in this process, as an export in
this process, and as the same export in the sandbox. The sandbox computes in another
process, whose CPU time counts.
"""

import pathlib
import tempfile

import numpy as np
from command_costs import timed_with_children
from interleaved import in_turn, rows
from standard_models import BATCH_SIZE, conv_model, step_taker

from disentangle_tf.data import XYSquares
from disentangle_tf.export import ExportedModel, write_export
from disentangle_tf.foreign import ForeignModel
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.scoring.encoding import ImageEncoding

TRAINING = "training step"


def measure(quick):
  batches, rounds = (4, 3) if quick else (16, 5)
  data = XYSquares()
  model = conv_model(data)
  points = data.factors.draw(BATCH_SIZE, np.random.default_rng(0))
  images = np.asarray(data.observe(points))
  with tempfile.TemporaryDirectory() as folder:
    export = pathlib.Path(folder) / "export"
    write_export(model, export, data=data)
    with ForeignModel(export) as confined:
      confined.open(data.observation_shape)
      encoders = {
        "live model": LiveModel(model),
        "export in this process": ExportedModel(export),
        "export in the sandbox": confined,
      }
      take = step_taker(model, data)
      variants = {TRAINING: timed_with_children(lambda: take(batches))}
      for name, encoder in encoders.items():
        variants[name] = _encoding(encoder, images, batches)
      for variant in variants.values():
        variant()
      times = in_turn(variants, rounds)
  found = rows(times, base=TRAINING, count=batches, unit=f"batch of {BATCH_SIZE}")
  for row in found:
    row["images_per_second"] = round(BATCH_SIZE / row["wall"]["median"])
  return {"rows": found}


def _encoding(model, images, batches):
  def encode():
    blocks = (images for _ in range(batches))
    ImageEncoding(model.encode).encode(blocks, batches * len(images))

  return timed_with_children(encode)
