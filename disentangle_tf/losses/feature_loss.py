"""The feature loss: a pixel-wise loss that also compares features of the images."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.losses.wrapped_loss import WrappedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class FeatureLoss(WrappedLoss):
  """loss(x, y) + weight * squared error between network(x) and network(y).

  The squared error is the mean over each output's entries, summed over the outputs. It
  is one value per image, added to every pixel: the mean reduction counts it once, the
  sum reduction as often as there are pixels.

  Args:
    loss: the pixel-wise `ReconstructionLoss` to extend.
    network: a built `keras.Model` from images [N, H, W, C] to one output or several; it
      is frozen. It sees the images that `loss` compares: standardised ones, or those in
      [0, 1] if `loss` is not `standardised`. The configuration holds its architecture;
      its weights are among the `variables`, and saved with the model.
    weight: weight of the squared error.

  Example:
    FeatureLoss(MSE(), keras.Model(vgg.input, [vgg.get_layer(n).output for n in names]))

  Reference: Hou et al., 2017, "Deep Feature Consistent Variational Autoencoder".
  """

  parts = ("loss", "network")

  def __init__(self, loss, network, *, weight=1.0):
    super().__init__(loss)
    check_weight("FeatureLoss", weight=weight)
    if not isinstance(network, keras.Model) or not network.built:
      raise UserError(f"FeatureLoss.network is {network!r}: it must be a built model")
    network.trainable = False
    self.network = network
    self.weight = weight

  @property
  def variables(self):
    return (*super().variables, *self.network.weights)

  def addition(self, targets, images):
    pairs = zip(self._features(targets), self._features(images), strict=True)
    errors = [tf.reduce_mean((x - y) ** 2, range(1, len(x.shape))) for x, y in pairs]
    return self.weight * tf.add_n(errors)[:, None, None, None]

  def squared_maps(self):
    maps = self.loss.squared_maps()
    if not maps:
      return []
    count = len(tf.nest.flatten(self.network.output))
    features = [
      (self.weight, lambda images, i=i: self._features(images)[i]) for i in range(count)
    ]
    return [*maps, *features]

  def _features(self, images):
    outputs = tf.nest.flatten(self.network(images, training=False))
    return [tf.cast(output, tf.float32) for output in outputs]
