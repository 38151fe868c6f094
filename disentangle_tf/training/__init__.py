"""One training loop for every model and every tf.distribute strategy."""

from disentangle_tf.training.train import train

__all__ = ["train"]
