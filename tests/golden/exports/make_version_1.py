"""An export as contract version 1 wrote it; needs this project before version 2.

`version_1/` is the export of a linear beta-VAE with a likelihood and a prior that have
learned. version_1.npz: images, what the live model makes of them (means, log_variances,
reconstructions), and the evidence in nats that `metrics.evidence` then gave on all
images.
"""

import json

import keras
import numpy as np

from disentangle_tf import (
  evaluation,
  losses,
  metrics,
  models,
  networks,
  priors,
  scoring,
)
from disentangle_tf.data import XYSquares
from disentangle_tf.export import write_export


def main():
  data = XYSquares(image_size=8, square_size=2, grid_spacing=2, num_squares=2)
  keras.utils.set_random_seed(0)
  model = models.BetaVAE(
    networks.linear_encoder((8, 8, 2), latents=3),
    networks.linear_decoder((8, 8, 2), latents=3),
    losses.Normal(scale=0.4),
    beta=0.5,
    prior=priors.AnisotropicNormal([3.0, 2.0, 1.0], learned=True),
    standardisation=data.standardisation(),
    reduction="sum",
  )
  model.reconstruction.log_scale.assign(np.log(0.7))  # as if it had been learned
  write_export(model, "version_1", data=data, config_text="x = 1", seed=3, step=7)
  images = data.observe(data.factors.to_factors(np.arange(0, 256, 50)))
  posterior = model.encode(images)
  scores = evaluation.evaluate(
    model="version_1",
    measurements=[scoring.Measurement(metrics.evidence, num_points="all")],
    output_dir="scores",
    trusted=True,
  )["scores"]
  np.savez(
    "version_1.npz",
    images=images,
    means=posterior.mean(),
    log_variances=np.log(posterior.variance()),
    reconstructions=model.reconstruct(images),
    evidence=json.dumps(scores),
  )


if __name__ == "__main__":
  main()
