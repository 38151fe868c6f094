import numpy as np
import tensorflow as tf
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf.adversary.monitor import ManipulationMonitor
from disentangle_tf.data import Spot


class Lighter:
  """Stands for a manipulator that makes all pixels lighter by half of its epsilon."""

  epsilon = 0.1

  def change(self, images, factors):
    assert len(images) == len(factors)
    return images + 0.05


def test_what_tensorboard_shows(tmp_path):
  with ManipulationMonitor(Lighter(), Spot(), tmp_path) as monitor:
    monitor.scalars(5, {"loss": -0.5, "entangled": 1.0}, 100.0)
    monitor.pictures(5)
  events = event_accumulator.EventAccumulator(str(tmp_path)).Reload()
  (gap,) = events.Tensors("adversary/gap")
  assert gap.step == 5 and tf.make_ndarray(gap.tensor_proto) == -0.5
  assert "adversary/entangled" in events.Tags()["tensors"]
  (picture,) = events.Tensors("original_change_sum")
  content = tf.make_ndarray(picture.tensor_proto)[2]
  pixels = tf.io.decode_png(content).numpy() / 255
  middle = pixels[len(pixels) // 2]  # of the row of changes: half of epsilon is 0.75
  assert np.isclose(middle, 0.75, atol=0.01).mean() > 0.8
