"""What TensorBoard shows of the adversary."""

import numpy as np
import tensorflow as tf

from disentangle_tf.plots import change_rows, image_grid

_NUM_SHOWN = 8


class ManipulationMonitor:
  """Writes losses and pictures of a `Manipulator` in training.

  Args:
    manipulator: the `Manipulator`.
    data: the set that it changes.
    directory: where the event file goes.
  """

  def __init__(self, manipulator, data, directory):
    self._manipulator = manipulator
    self._factors = data.factors.draw(_NUM_SHOWN, np.random.default_rng(0))
    self._images = data.observe(self._factors)
    self._writer = tf.summary.create_file_writer(str(directory))

  def scalars(self, step, terms, images_per_second):
    """The gap, both losses, how large the change is, and speed."""
    with self._writer.as_default(step=step):
      for name, value in terms.items():
        name = "gap" if name == "loss" else name
        tf.summary.scalar(f"adversary/{name}", value)
      tf.summary.scalar("speed/images_per_second", images_per_second)
    self._writer.flush()

  def pictures(self, step):
    """Original, change and sum: figure 4 of Zietlow et al."""
    changed = self._manipulator.change(self._images, self._factors)
    rows = change_rows(self._images, changed, self._manipulator.epsilon)
    scale = max(1, 64 // rows.shape[2])
    with self._writer.as_default(step=step):
      grid = image_grid(rows, scale=scale, padding=2)
      tf.summary.image("original_change_sum", grid[None])
    self._writer.flush()

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self._writer.close()
