"""The adversary's entries in TensorBoard."""

from __future__ import annotations

import typing
from collections.abc import Mapping

import numpy as np
import tensorflow as tf

from disentangle_tf.plots import change_rows, image_grid

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.adversary.manipulator import Manipulator
  from disentangle_tf.data import GroundTruthData


_NUM_SHOWN = 8


class ManipulationMonitor:
  """Write losses and images of a `Manipulator` during training.

  Args:
    manipulator: the `Manipulator`.
    data: the set that it changes.
    directory: folder of the event file.
  """

  def __init__(
    self, manipulator: Manipulator, data: GroundTruthData, directory: str | os.PathLike
  ) -> None:
    self._manipulator = manipulator
    self._factors = data.factors.draw(_NUM_SHOWN, np.random.default_rng(0))
    self._images = data.observe(self._factors)
    self._writer = tf.summary.create_file_writer(str(directory))

  def scalars(
    self, step: int, terms: Mapping[str, float], images_per_second: float
  ) -> None:
    """Write the gap, both losses, the size of the change, and the speed."""
    with self._writer.as_default(step=step):
      for name, value in terms.items():
        name = "gap" if name == "loss" else name
        tf.summary.scalar(f"adversary/{name}", value)
      tf.summary.scalar("speed/images_per_second", images_per_second)
    self._writer.flush()

  def pictures(self, step: int) -> None:
    """Write originals, changes and sums, as in figure 4 of Zietlow et al."""
    changed = self._manipulator.change(self._images, self._factors)
    rows = change_rows(self._images, changed, self._manipulator.epsilon)
    scale = max(1, 64 // rows.shape[2])
    with self._writer.as_default(step=step):
      grid = image_grid(rows, scale=scale, padding=2)
      tf.summary.image("original_change_sum", grid[None])
    self._writer.flush()

  def __enter__(self) -> ManipulationMonitor:
    return self

  def __exit__(self, *_: object) -> None:
    self._writer.close()
