r"""Does agreement of distances before training predict disentanglement after it?

This tests the thesis of Michlo et al. with a number. The worlds are XYSquares of two
8x8 squares with spacings 1 to 8, each with MSE, box-blurred and Gaussian-blurred MSE.
For each, the score by which bin/perceive.py --rank_losses orders losses is compared
with the MIG of models trained with the loss.

Prints one JSON line for each of the 24 worlds, also to --output, then Spearman's rank
correlations. Worlds that --output already has are not trained again.

  python benchmarks/loss_ranking.py --model AdaGVAE --steps 1500 --output ada_gvae.jsonl
  python benchmarks/loss_ranking.py --model BetaVAE --steps 6000 --square_size 4 \
      --strengths 0.12 --output beta_vae.jsonl

With --square_size 4 the images are half as wide, and there are four spacings.

Distances of the losses differ by orders of magnitude, so no beta suits all. --strengths
are shares of the beta at which a linear VAE would lose its first latent, which follows
from the distances alone. The best MIG counts.
"""

import argparse
import json
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from scipy import stats

from disentangle_tf import losses, metrics, models, networks, perceived
from disentangle_tf.data import Batches, XYSquares, draw_pairs, draw_single

MODELS = {
  "AdaGVAE": (models.AdaGVAE, draw_pairs),
  "BetaVAE": (models.BetaVAE, draw_single),
}
NUM_SQUARES = 2
LATENTS = 6
UNITS = (128, 128)
BATCH_SIZE = 64


def losses_by_name(square_size):
  """Return the losses to compare, with kernels as wide as the image."""
  radius = 4 * square_size - 1
  kernels = {
    "box": losses.box_kernel(radius),
    "gaussian": losses.gaussian_kernel(radius),
  }
  blurred = {
    name: losses.Overlap(losses.MSE(), kernel) for name, kernel in kernels.items()
  }
  return {"mse": losses.MSE(), **blurred}


def world(square_size, spacing, num_squares=NUM_SQUARES):
  """Return XYSquares with eight positions per factor."""
  return XYSquares(
    image_size=8 * square_size,
    square_size=square_size,
    grid_spacing=spacing,
    num_squares=num_squares,
  )


def collapsing_beta(square_size, spacing, loss):
  """Return the beta at which a linear VAE loses its first latent.

  The loss takes means over pixels and KL. At this beta (Lucas et al. 2019),
  beta / (2 LATENTS) is the largest eigenvalue of the images' covariance. Here the
  covariance is that of the centred distances, in the geometry of the loss. Each square
  has a separate channel, so one square is enough.
  """
  data = world(square_size, spacing, num_squares=1)
  images = data.observe(data.factors.to_factors(np.arange(len(data)))).numpy()
  mean, std = data.standardisation()
  images = (images - np.float32(mean)) / np.float32(std)
  distances = perceived.pairwise_distances(loss, images).numpy().astype(np.float64)
  centre = np.eye(len(images)) - 1 / len(images)
  products = -0.5 * centre @ distances @ centre
  largest = np.linalg.eigvalsh(products)[-1] / len(images) / NUM_SQUARES
  return 2 * LATENTS * largest


def trained_mig(model_name, data, loss, beta, *, steps, seed):
  """Train a model; return its MIG on all images and the number of active latents."""
  keras.utils.set_random_seed(seed)
  shape = data.observation_shape
  model_class, draw = MODELS[model_name]
  model = model_class(
    networks.mlp_encoder(shape, latents=LATENTS, units=UNITS),
    networks.mlp_decoder(shape, latents=LATENTS, units=UNITS),
    loss,
    beta=beta,
    standardisation=data.standardisation(),
  )
  model.compile(keras.optimizers.Adam(1e-3), jit_compile=True)
  batches = Batches(data, batch_size=BATCH_SIZE, seed=seed, draw=draw)
  model.fit(batches.dataset(0, steps), shuffle=False, verbose=0)
  factors = data.factors.to_factors(np.arange(len(data)))
  images = data.observe(factors).numpy()
  codes = np.concatenate(
    [model.encode(part).mean() for part in np.array_split(images, 8)]
  )
  return {
    "beta": float(beta),
    "mig": metrics.mig(codes, factors)["mig"],
    "active": int((codes.std(axis=0) > 0.1).sum()),
  }


def measure(options, spacing, name):
  """Measure one world and loss before and after training."""
  data = world(options.square_size, spacing)
  loss = losses_by_name(options.square_size)[name]
  found = perceived.rank_losses(data, {name: loss})[0]
  critical = collapsing_beta(options.square_size, spacing, loss)
  trained = [
    trained_mig(
      options.model,
      data,
      loss,
      share * critical,
      steps=options.steps,
      seed=options.seed,
    )
    for share in options.strengths
  ]
  return {
    "model": options.model,
    "spacing": spacing,
    "loss": name,
    "score": found["score"],
    "rank": float(np.mean([f["rank"] for f in found["factors"].values()])),
    "random_linear": found["random"]["linear"],
    "random_rank": found["random"]["rank"],
    "mig": max(each["mig"] for each in trained),
    "trained": trained,
  }


def print_correlations(rows):
  """Print correlations of scores before training with MIG, overall and per loss."""
  for name in ("all", *sorted({row["loss"] for row in rows})):
    chosen = [row for row in rows if name in ("all", row["loss"])]
    migs = [row["mig"] for row in chosen]
    correlations = {
      kind: round(float(stats.spearmanr([row[kind] for row in chosen], migs)[0]), 3)
      for kind in ("score", "rank", "random_linear", "random_rank")
    }
    linear = stats.pearsonr([row["score"] for row in chosen], migs)[0]
    summary = {"losses": name, "worlds": len(chosen), **correlations}
    print(json.dumps({**summary, "score_linear": round(float(linear), 3)}))


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument("--model", choices=MODELS, required=True)
  parser.add_argument("--steps", type=int, required=True)
  parser.add_argument("--square_size", type=int, default=8)
  parser.add_argument("--strengths", type=float, nargs="+", default=[0.03, 0.12])
  parser.add_argument("--seed", type=int, default=0)
  parser.add_argument("--output", type=pathlib.Path, required=True)
  options = parser.parse_args()
  rows = []
  if options.output.exists():
    rows = [json.loads(line) for line in options.output.read_text().splitlines()]
  done = {(row["spacing"], row["loss"]) for row in rows}
  for spacing in range(options.square_size, 0, -1):
    for name in losses_by_name(options.square_size):
      if (spacing, name) not in done:
        rows.append(measure(options, spacing, name))
        keras.backend.clear_session()
        print(json.dumps(rows[-1]), flush=True)
        with options.output.open("a") as file:
          file.write(json.dumps(rows[-1]) + "\n")
  print_correlations(rows)


if __name__ == "__main__":
  main()
