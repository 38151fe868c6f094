"""The overlap loss: a pixel-wise loss plus the same loss between blurred images.

Michlo, Klein & James 2023, equation 11.
"""

from collections.abc import Callable, Sequence

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.losses.blur import Blur
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss, WrappedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Overlap(WrappedLoss):
  """loss(x, y) + alpha * loss(blur(x), blur(y)).

  The second term grows with the distance that an object moves, even after the object no
  longer overlaps its first position.

  Args:
    loss: the pixel-wise `ReconstructionLoss` to extend.
    kernel: blur kernel, such as `box_kernel(31)`, or any matrix with odd sides.
    alpha: weight of the blurred part, from 0 up. None is 1 / sum(kernel**2), which for
      a box is the number of its entries: 63 * 63 for the paper's radius 31.
    method: see `Blur`.

  Attributes:
    alpha: the weight as a number, also if None was given.

  Raises:
    UserError: the kernel is not a matrix with odd sides, or all its entries are 0 and
      `alpha` is None.

  Reference: Michlo, Klein & James, 2023, "Overlooked Implications of the Reconstruction
  Loss for VAE Disentanglement", equation 11.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> points = tf.reshape(tf.eye(8), (8, 1, 8, 1))  # one point, at 8 positions
    >>> first, others = tf.repeat(points[:1], 4, axis=0), points[1:5]
    >>> losses.MSE().mean_distance(first, others).numpy().tolist()
    [0.25, 0.25, 0.25, 0.25]
    >>> overlap = losses.Overlap(losses.MSE(), [[0.2, 0.2, 0.2, 0.2, 0.2]])
    >>> [round(float(x), 3) for x in overlap.mean_distance(first, others)]
    [0.275, 0.3, 0.35, 0.4]
  """

  def __init__(
    self,
    loss: ReconstructionLoss,
    kernel: np.ndarray | Sequence[Sequence[float]],
    *,
    alpha: float | None = None,
    method: str = "auto",
  ) -> None:
    super().__init__(loss)
    if alpha is not None:
      check_weight("Overlap", alpha=alpha)
    self._blur = Blur(kernel, method=method)
    self.kernel = np.asarray(kernel)
    self.alpha = _weight_of(self.kernel) if alpha is None else alpha
    self.method = method
    self.of_difference = loss.of_difference
    self._given_alpha = alpha

  def per_image(self, targets: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
    difference = targets - self.images(parameters)
    pixels = difference.shape[1:].num_elements()
    assert pixels is not None  # networks have fixed shapes
    squares = self._blur.squares(difference, self.alpha)  # pruned if not needed
    total = self.loss.from_squares(squares, (1 + self.alpha) * pixels)
    return super().per_image(targets, parameters) if total is None else total

  def addition(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    return self.alpha * self._blurred_distance(targets, images)

  def squared_maps(self) -> list[tuple[float, Callable]]:
    maps = self.loss.squared_maps()
    if not maps:
      return []
    blurred = [
      (self.alpha * weight, lambda images, plain=plain: plain(self._blur(images)))
      for weight, plain in maps
    ]
    return [*maps, *blurred]

  def get_config(self) -> dict:
    config = super().get_config()
    return {**config, "kernel": self.kernel.tolist(), "alpha": self._given_alpha}

  def _blurred_distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    if self.of_difference:  # a blur is linear: one convolution is enough
      difference = self._blur(targets - images)
      return self.loss.distance(difference, tf.zeros_like(difference))
    return self.loss.distance(self._blur(targets), self._blur(images))


def _weight_of(kernel: np.ndarray) -> float:
  """1 / sum(kernel**2), with which blurred noise weighs as much as the noise itself."""
  squares = np.sum(np.square(kernel, dtype=np.float64))
  if not squares > 0:
    raise UserError("Overlap.kernel has no entry other than 0: set alpha, or a kernel")
  return float(f"{1 / squares:.12g}")  # rounded, so that a box has a whole number
