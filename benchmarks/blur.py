"""Seconds of the overlap loss alone: value and gradient on [256, 64, 64, 3].

Compared with the plain squared error of the same images. Blurs are `losses.Blur`
alone, without gradient.
"""

import numpy as np
import tensorflow as tf
from interleaved import in_turn, rows, timed

from disentangle_tf import losses

RANK = 4


def low_rank_kernel(rank=RANK, side=63):
  """A random kernel that is a sum of a few outer products."""
  columns, lines = np.random.default_rng(0).random((2, rank, side))
  return columns.T @ lines / side**2


def value_and_gradient(loss, targets, images):
  """A function that computes the loss of each image, and the gradient of the sum."""

  @tf.function
  def compute(made):
    with tf.GradientTape() as tape:
      tape.watch(made)
      values = loss.per_image(targets, made)
      total = tf.reduce_sum(values)
    return values, tape.gradient(total, made)

  return lambda: compute(images)[1].numpy()


def measure(quick):
  rng = np.random.default_rng(0)
  shape = (64 if quick else 256, 64, 64, 3)
  targets, images = tf.constant(rng.random((2, *shape)), tf.float32)
  any_kernel = rng.random((63, 63)) / 63**2
  kernels = {
    "box": losses.box_kernel(31),
    "Gaussian": losses.gaussian_kernel(31),
    f"rank {RANK}": low_rank_kernel(),
    "random": any_kernel,
  }
  variants = {"squared error": value_and_gradient(losses.MSE(), targets, images)}
  for name, kernel in kernels.items():
    loss = losses.Overlap(losses.MSE(), kernel)
    variants[f"overlap, {name}"] = value_and_gradient(loss, targets, images)
    blur = tf.function(losses.Blur(kernel))
    variants[f"blur alone, {name}"] = lambda blur=blur: blur(images).numpy()
  for function in variants.values():
    function()
  repeats = 2 if quick else 3

  def repeated(function):
    return timed(lambda: [function() for _ in range(repeats)])

  turns = {name: repeated(function) for name, function in variants.items()}
  times = in_turn(turns, 3 if quick else 7)
  found = rows(times, base="squared error", count=repeats)
  return {"rows": found, "facts": {"shape": list(shape)}}
