"""The feature loss: a pixel-wise loss plus a distance of features of the images."""

from collections.abc import Callable

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss, WrappedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class FeatureLoss(WrappedLoss):
  """loss(x, y) + weight * squared error between network(x) and network(y).

  The squared error is the mean over each output's entries, summed over the outputs.
  This one value per image is added to every pixel. The mean reduction therefore counts
  it once, the sum reduction once per pixel.

  Args:
    loss: the pixel-wise `ReconstructionLoss` to extend.
    network: a built `keras.Model` from images [N, H, W, C] to one or several outputs;
      it is frozen. It receives the images that `loss` compares: standardised images, or
      images in [0, 1] if `loss` is not `standardised`. The configuration contains its
      architecture. Its weights are among the `variables` and are saved with the model.
    weight: weight of the squared error, from 0 up.

  Raises:
    UserError: `network` is not a built Keras model.

  Reference: Hou et al., 2017, "Deep Feature Consistent Variational Autoencoder".

  Example:
    >>> import keras
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> network = keras.Sequential(
    ...   [keras.Input((4, 4, 1)), keras.layers.GlobalAveragePooling2D()]
    ... )
    >>> loss = losses.FeatureLoss(losses.MSE(), network, weight=2.0)
    >>> black, white = tf.zeros((1, 4, 4, 1)), tf.ones((1, 4, 4, 1))
    >>> float(loss.mean_distance(black, white)[0])  # 1 of the pixels, 2 * 1 of the mean
    3.0
  """

  parts = ("loss", "network")

  def __init__(
    self, loss: ReconstructionLoss, network: keras.Model, *, weight: float = 1.0
  ) -> None:
    super().__init__(loss)
    check_weight("FeatureLoss", weight=weight)
    if not isinstance(network, keras.Model) or not network.built:
      raise UserError(f"FeatureLoss.network is {network!r}: it must be a built model")
    network.trainable = False
    self.network = network
    self.weight = weight

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    return (*super().variables, *self.network.weights)

  def addition(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    pairs = zip(self._features(targets), self._features(images), strict=True)
    errors = [tf.reduce_mean((x - y) ** 2, range(1, len(x.shape))) for x, y in pairs]
    return self.weight * tf.add_n(errors)[:, None, None, None]

  def squared_maps(self) -> list[tuple[float, Callable]]:
    maps = self.loss.squared_maps()
    if not maps:
      return []
    count = len(tf.nest.flatten(self.network.output))
    features = [
      (self.weight, lambda images, i=i: self._features(images)[i]) for i in range(count)
    ]
    return [*maps, *features]

  def _features(self, images: tf.Tensor) -> list[tf.Tensor]:
    outputs = tf.nest.flatten(self.network(images, training=False))
    return [tf.cast(output, tf.float32) for output in outputs]
