"""`SupervisedLoss`, the base class: how far codes are from the labels of images."""

import abc

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_coefficient, check_count, check_list
from disentangle_tf.errors import UserError
from disentangle_tf.init_arguments import init_arguments


class SupervisedLoss(abc.ABC):
  """A loss of which latent i is to stand for label i; further latents are left alone.

  It is summed over labels and averaged over the batch, whose size does not matter.
  disentanglement_lib sums `L2` and `CrossEntropy` over the batch: its gamma_sup times
  its batch size of 64 is ours.

  Args:
    gamma_sup: weight that the model gives it, a number or a schedule.
    factor_sizes: the number of values of each label (`data.labelled_factor_sizes`).

  Attributes:
    needs_whole_batch: whether it compares the batch's images with each other, so that
      it needs those of all replicas.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".
  """

  needs_whole_batch = False

  def __init__(self, gamma_sup, factor_sizes):
    name = type(self).__name__
    check_coefficient(name, gamma_sup=gamma_sup)
    check_list(name, check_count, factor_sizes=factor_sizes)
    self.gamma_sup = gamma_sup
    self.factor_sizes = tuple(int(size) for size in factor_sizes)

  @property
  def variables(self):
    """Keras variables for the model to learn."""
    return ()

  def __call__(self, codes, labels):
    """The loss, a float32 scalar.

    Args:
      codes: [batch, latents].
      labels: [batch, labels], whole numbers from 0 up, of any dtype.
    """
    codes, labels = tf.cast(codes, tf.float32), tf.cast(labels, tf.float32)
    values = self.compare(codes[:, : len(self.factor_sizes)], labels)
    return tf.reduce_sum(tf.reduce_mean(values, axis=0))

  @abc.abstractmethod
  def compare(self, codes, labels):
    """The loss per point and label: [batch, labels], of two such float32 arrays.

    A loss of the batch as a whole gives [1, labels].
    """

  def normalise(self, labels):
    """Labels in [0, 1]: the greatest becomes 1, which it never does in dlib."""
    greatest = np.maximum(np.subtract(self.factor_sizes, 1), 1)
    return labels / greatest.astype(np.float32)

  def check_labels(self, num_factors, latents):
    """Raises a `UserError` unless it fits so many labels per image and latents."""
    name, own = type(self).__name__, len(self.factor_sizes)
    if num_factors != own:
      raise UserError(
        f"{name}.factor_sizes has {own} sizes, the labelled images have {num_factors} "
        "labels: set it to @data.labelled_factor_sizes()"
      )
    if own > latents:
      raise UserError(
        f"{name} needs a latent for each of the {own} labels, the model has {latents}: "
        "set LATENTS higher, or label fewer factors with @data.partial_labels"
      )

  def get_config(self):
    config = {**init_arguments(self), "factor_sizes": list(self.factor_sizes)}
    config["gamma_sup"] = keras.saving.serialize_keras_object(self.gamma_sup)
    return config

  @classmethod
  def from_config(cls, config):
    gamma_sup = keras.saving.deserialize_keras_object(config["gamma_sup"])
    return cls(**{**config, "gamma_sup": gamma_sup})
