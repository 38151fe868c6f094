"""Learned kernel: a blur that follows the order of the ground-truth factors."""

from collections.abc import Callable

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import (
  check_count,
  check_instance,
  check_positive,
  check_seed,
)
from disentangle_tf.data import GroundTruthData, draw_pairs
from disentangle_tf.errors import UserError
from disentangle_tf.losses.blur import fourier_blur
from disentangle_tf.random_streams import stream_seed


def learned_kernel(
  data: GroundTruthData,
  *,
  radius: int,
  num_pairs: int = 128,
  steps: int = 200,
  learning_rate: float = 0.1,
  temperature: float = 0.1,
  seed: int = 0,
) -> np.ndarray:
  """Kernel under which perceived distances best order pairs as their factors do.

  The perceived distance of two observations is the mean squared error of their blurred
  images; the true distance is the L1 distance of their factors. Adam maximises the soft
  rank correlation of the two. Each step draws new pairs with `data.draw_pairs`, whose
  factors differ in one place, in some or in all. (Pairs along single factors teach
  nothing about several; independent points rarely differ in few.)

  The entries are a softmax. A kernel and its reflection through the centre give the
  same distances except at the border, so they are averaged, and the blur shifts
  nothing. At the start half of the weight is at the centre and half is spread evenly: a
  flat kernel that covers the whole image would perceive no difference at all.

  Args:
    data: a `GroundTruthData` that has factors.
    radius: of the kernel, in pixels. It perceives moves up to about its radius; the
      side of the image minus one is enough for all.
    num_pairs: pairs per step.
    steps: number of steps.
    learning_rate: of Adam.
    temperature: of the soft ranks, see `soft_rank_correlation`.
    seed: whole number that determines the pairs.

  Returns:
    `[2 * radius + 1, 2 * radius + 1]` float64 array, 0 or more, with sum 1.

  Example:
    >>> from disentangle_tf import data, losses, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)
    >>> kernel = perceived.learned_kernel(squares, radius=1, num_pairs=4, steps=1)
    >>> kernel.shape, round(float(kernel.sum()), 6)
    ((3, 3), 1.0)
    >>> loss = losses.Overlap(losses.MSE(), kernel)
  """
  check_count("learned_kernel", radius=radius, num_pairs=num_pairs, steps=steps)
  check_positive("learned_kernel", learning_rate=learning_rate, temperature=temperature)
  check_seed("learned_kernel", seed=seed)
  check_instance("learned_kernel", GroundTruthData, "data.XYSquares()", data=data)
  if not data.has_factors:
    raise UserError(f"learned_kernel: {data.name} has no factors to learn from")

  @tf.function
  def slope(logits: tf.Tensor, step: tf.Tensor) -> tf.Tensor:
    differences, truth = _draw(data, num_pairs, stream_seed(seed, "kernel", step))
    with tf.GradientTape() as tape:
      tape.watch(logits)
      blurred = fourier_blur(differences, _kernel(logits))
      distances = tf.reduce_mean(blurred**2, axis=[1, 2, 3])
      correlation = soft_rank_correlation(distances, truth, temperature=temperature)
    return tf.convert_to_tensor(tape.gradient(correlation, logits))

  logits = _maximise(slope, _start(radius), steps=steps, learning_rate=learning_rate)
  kernel = _kernel(logits).numpy().astype(np.float64)
  return kernel / kernel.sum()


def soft_rank_correlation(
  values: tf.Tensor, truth: tf.Tensor, *, temperature: float
) -> tf.Tensor:
  """Spearman's correlation of two `[N]` tensors, with a gradient to the first.

  A value's rank is the number of values below it, where ties count one half. For
  `values` it is soft: the sum of sigmoids of the differences, divided by `temperature`
  times the mean absolute deviation. As the temperature approaches 0 this becomes
  Spearman's correlation. It is 0 if either tensor is constant.
  """
  spread = tf.reduce_mean(tf.abs(values - tf.reduce_mean(values)))
  gaps = tf.math.divide_no_nan(_gaps(values), temperature * spread)
  ranks = tf.reduce_mean(tf.sigmoid(gaps), axis=1) - 0.5
  true_ranks = tf.reduce_mean(0.5 * tf.sign(_gaps(tf.cast(truth, tf.float32))), axis=1)
  variances = tf.reduce_mean(ranks**2) * tf.reduce_mean(true_ranks**2)
  # The small constant keeps the gradient finite for constant inputs.
  return tf.reduce_mean(ranks * true_ranks) / tf.sqrt(variances + 1e-12)


def _gaps(values: tf.Tensor) -> tf.Tensor:
  """Difference of each value from each other one: `[N]` -> `[N, N]`."""
  return values[:, None] - values[None, :]


def _draw(
  data: GroundTruthData, num_pairs: int, seed: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor]:
  """Differences of pairs of images, and the L1 distances of their factors."""
  first, second = draw_pairs(data.factors, num_pairs, seed)
  differences = data.observe(first) - data.observe(second)
  return differences, tf.reduce_sum(tf.abs(first - second), axis=-1)


def _start(radius: int) -> tf.Tensor:
  size = 2 * radius + 1
  logits = np.zeros((size, size), np.float32)
  logits[radius, radius] = np.log(size**2 - 1)
  return tf.constant(logits)


def _kernel(logits: tf.Tensor) -> tf.Tensor:
  symmetric = 0.5 * (logits + logits[::-1, ::-1])
  return tf.reshape(tf.nn.softmax(tf.reshape(symmetric, [-1])), logits.shape)


def _maximise(
  slope: Callable[[tf.Tensor, tf.Tensor], tf.Tensor],
  point: tf.Tensor,
  *,
  steps: int,
  learning_rate: float,
) -> tf.Tensor:
  """Adam's ascent (Kingma & Ba 2015) from `point` along `slope(point, step)`.

  It has no variables, because it may run inside the scope of any strategy.
  """
  mean = square = tf.zeros_like(point)
  for step in range(steps):
    gradient = slope(point, tf.constant(step))
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    corrected = mean / (1 - 0.9 ** (step + 1))
    root = tf.sqrt(square / (1 - 0.999 ** (step + 1)))
    point += learning_rate * corrected / (root + 1e-7)
  return point
