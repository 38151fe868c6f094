"""One training loop for every model and every tf.distribute strategy."""

from disentangle_tf.training.distance_callback import DistanceCallback
from disentangle_tf.training.train import train

__all__ = ["DistanceCallback", "train"]
