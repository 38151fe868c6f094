"""One training loop for every model and every tf.distribute strategy."""

from disentangle_tf.training.computing import Computing
from disentangle_tf.training.distance_callback import DistanceCallback
from disentangle_tf.training.run_description import RunDescription
from disentangle_tf.training.sampling import Sampling
from disentangle_tf.training.saving import Saving
from disentangle_tf.training.scoring import Scoring
from disentangle_tf.training.train import train
from disentangle_tf.training.watching import Watching

__all__ = [
  "Computing",
  "DistanceCallback",
  "RunDescription",
  "Sampling",
  "Saving",
  "Scoring",
  "Watching",
  "train",
]
