"""Perceived distances between every two of several images."""

import numpy as np
import tensorflow as tf

from disentangle_tf.losses import ReconstructionLoss


def pairwise_distances(
  loss: ReconstructionLoss, images: tf.Tensor | np.ndarray
) -> tf.Tensor:
  """Mean over pixels of the loss between every two images.

  Losses that are sums of squares cost one matrix product; others are computed row by
  row. Works on any device and inside a `tf.function`.

  Args:
    loss: a `losses.ReconstructionLoss`.
    images: `[N, height, width, channels]` in [0, 1].

  Returns:
    `[N, N]` float32 tensor, 0 or more for a distance such as the MSE.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, perceived
    >>> images = np.stack([np.zeros((2, 2, 1)), np.ones((2, 2, 1))])  # black and white
    >>> perceived.pairwise_distances(losses.MSE(), images).numpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
  """
  images = tf.convert_to_tensor(images, tf.float32)
  maps = loss.squared_maps()
  if maps:
    return tf.add_n([weight * _squared(apply(images)) for weight, apply in maps])

  def distances_to(image: tf.Tensor) -> tf.Tensor:
    return loss.mean_distance(images, tf.broadcast_to(image, tf.shape(images)))

  rows = tf.map_fn(distances_to, images, fn_output_signature=tf.float32)
  return tf.transpose(rows)  # the first image of a pair is the target


def _squared(mapped: tf.Tensor) -> tf.Tensor:
  """Mean squared differences of every two rows."""
  rows = tf.reshape(mapped, [tf.shape(mapped)[0], -1])
  # Centred, so that the subtraction below loses less precision.
  rows -= tf.reduce_mean(rows, axis=0)
  squares = tf.reduce_sum(rows**2, axis=1)
  products = tf.matmul(rows, rows, transpose_b=True)
  distances = tf.maximum(squares[:, None] + squares - 2 * products, 0.0)
  distances = tf.linalg.set_diag(distances, tf.zeros_like(squares))
  return distances / tf.cast(tf.shape(rows)[1], tf.float32)
