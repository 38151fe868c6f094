"""Seconds of a training step, beside PyTorch and the machine's limit.

The MSE step is the paper's convolutional beta-VAE on XYSquares with batches of 256 that
are made on the device. Each other variant changes one thing. All variants are built and
warmed up first, then measured in turn. PyTorch takes the same step in both of its
memory formats; `matrix product` is the machine's limit.
"""

import os

import keras
import numpy as np
from interleaved import in_turn, median_seconds, ratios, rows
from machine import product_gflop, step_gflop, timed_product
from standard_models import (
  BATCH_SIZE,
  BETA,
  LATENTS,
  conv_model,
  mlp_model,
  step_taker,
  timed_steps,
)
from torch_vae import torch_steps

from disentangle_tf import losses, models, networks
from disentangle_tf.data import XYSquares, draw_pairs

PLAIN = "MSE"
PRODUCTS = 4  # matrix products per measurement
TORCH = {  # (channels last, threads); waiting threads of PyTorch spin, which costs CPU
  "PyTorch, channels last": (True, os.cpu_count()),
  "PyTorch, channels first": (False, os.cpu_count()),
  "PyTorch, channels last, 1 thread": (True, 1),
}
QUICK = (PLAIN, "overlap, box", "overlap of Bernoulli, box", "Ada-GVAE, 256 pairs")


class HostXYSquares(XYSquares):
  """XYSquares that is rendered by the host's pipeline."""

  renders_on_device = False


def overlap(loss=None, *, kernel=None, method="auto"):
  kernel = losses.box_kernel(31) if kernel is None else kernel
  return losses.Overlap(loss or losses.MSE(), kernel, method=method)


def conv_variants(quick):
  """{name: function that takes steps} of the convolutional networks."""
  data = XYSquares()
  any_kernel = np.random.default_rng(0).random((63, 63)) / 63**2
  compared = {
    PLAIN: losses.MSE(),
    "overlap, box": overlap(),
    "overlap, Gaussian": overlap(kernel=losses.gaussian_kernel(31)),
    "overlap, random kernel 63x63": overlap(kernel=any_kernel),
    "overlap, box, by Fourier transform": overlap(method="fft"),
    "absolute error": losses.MAE(),
    "overlap of absolute error, box": overlap(losses.MAE()),
    "Bernoulli": losses.Bernoulli(),
    "overlap of Bernoulli, box": overlap(losses.Bernoulli()),
  }
  host = HostXYSquares()
  discriminator = networks.mlp_discriminator(LATENTS)
  factor_vae = {"kind": models.FactorVAE, "gamma": 10.0, "discriminator": discriminator}
  makers = {
    name: lambda loss=loss: step_taker(conv_model(data, loss=loss), data)
    for name, loss in compared.items()
  } | {
    "Ada-GVAE, 256 pairs": lambda: step_taker(
      conv_model(data, kind=models.AdaGVAE), data, draw=draw_pairs
    ),
    "FactorVAE": lambda: step_taker(conv_model(data, **factor_vae), data),
    "batches through tf.data on the host": lambda: step_taker(conv_model(host), host),
    "XLA": lambda: step_taker(conv_model(data), data, jit_compile=True),
  }
  return {name: makers[name]() for name in (QUICK if quick else makers)}


def torch_variants():
  sizes = {"batch_size": BATCH_SIZE, "latents": LATENTS, "beta": BETA}
  return {
    name: torch_steps(**sizes, channels_last=last, threads=threads)
    for name, (last, threads) in TORCH.items()
  }


def mlp_rows(steps, rounds):
  """The demo's dense networks on 16x16 images, with and without XLA."""
  data = XYSquares(image_size=16, square_size=2, grid_spacing=2, num_squares=2)
  steps = 20 * steps
  variants = {
    name: timed_steps(step_taker(mlp_model(data), data, jit_compile=xla), steps)
    for name, xla in {"small MLP": False, "small MLP, XLA": True}.items()
  }
  times = in_turn(variants, rounds)
  return rows(times, base="small MLP", count=steps, unit="step")


def measure(quick):
  keras.utils.set_random_seed(0)
  steps, rounds = (2, 3) if quick else (5, 5)
  takers = conv_variants(quick) | torch_variants()
  variants = {name: timed_steps(take, steps) for name, take in takers.items()}
  variants["matrix product"] = timed_product(repeats=PRODUCTS)
  times = in_turn(variants, rounds)
  count = dict.fromkeys(times, steps) | {"matrix product": PRODUCTS}
  found = rows(times, base=PLAIN, count=count, unit="step")
  facts = {"gflop": round(step_gflop(conv_model(XYSquares()), BATCH_SIZE), 1)}
  for clock in ("wall", "cpu"):
    best = min(TORCH, key=lambda name: median_seconds(times, clock)[name])
    ours = ratios({PLAIN: times[PLAIN], best: times[best]}, best, clock)[PLAIN]
    facts[f"of_best_pytorch_{clock}"] = {"peer": best, **ours}
  limit = found.pop()
  del limit["ratio"]
  for row in found:
    if row["name"] in (PLAIN, *TORCH):
      row["share_of_limit"] = {
        clock: _share(facts["gflop"], row[clock], limit[clock])
        for clock in ("wall", "cpu")
      }
  return {"rows": [*found, *mlp_rows(steps, rounds), limit], "facts": facts}


def _share(gflop, step, product):
  return round(gflop / step["median"] * product["median"] / product_gflop(), 2)
