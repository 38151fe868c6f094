"""Sets whose host sends bytes to the device that trains: `FetchedData`."""

import abc
from typing import Any

import numpy as np
import tensorflow as tf

from disentangle_tf.data.ground_truth_data import GroundTruthData


class FetchedData(GroundTruthData):
  """A set whose host sends less than float images to the device that trains.

  A subclass defines `fetch` and `to_images` instead of `observe`, such as bytes and
  their division. The result of `observe` is the same wherever both parts run.

  Attributes:
    fetches: whether `observe` consists of these two; False for a subclass that
      overrides `observe` only.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> table = data.FactorTable(np.full([3, 8, 8, 1], 51, np.uint8), [0, 1, 2])
    >>> fetched = table.fetch([[0]])
    >>> fetched.dtype.name, float(table.to_images(fetched)[0, 0, 0, 0])
    ('uint8', 0.20000000298023224)
  """

  fetches = False

  def __init_subclass__(cls, **options: object) -> None:
    super().__init_subclass__(**options)
    if "fetch" in vars(cls) or "observe" in vars(cls):
      cls.fetches = "fetch" in vars(cls)

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    return self.to_images(self.fetch(factors, seed))

  @abc.abstractmethod
  def fetch(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> Any:
    """Do the host's part of `observe`: a tensor, or a tuple of them."""

  @abc.abstractmethod
  def to_images(self, fetched: Any) -> tf.Tensor:
    """Do the device's part of `observe`; any device and XLA can run it."""


def pixels_of_bytes(values: tf.Tensor) -> tf.Tensor:
  """Divide uint8 by 255, rounded as NumPy does, whatever compiles it.

  Compilers replace a float32 division by a product with 1 / 255, which rounds
  differently. In float64 the difference is too small to matter.
  """
  return tf.cast(tf.cast(values, tf.float64) * (1 / 255), tf.float32)
