"""The adversary: it learns a change of the images that favours entangled models."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.adversary.manipulation import scaled_factors
from disentangle_tf.argument_checks import check_count, check_positive
from disentangle_tf.data.fold import fold
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_uniform, split_seed, stream_seed

PARTS = 4  # of a batch: decoders learn from all but the last, the manipulation from it
_LARGEST = 0.49  # a change is stored in a byte
_SATURATED = 0.95


class Manipulator(keras.Model):
  """Learns m of x' = fold(x + epsilon m(w)) against decoders that learn x'.

  Encoders are frozen and see the original images. One step takes a batch in four
  parts: the decoders of all references learn from three of them to reconstruct the
  manipulated images, the manipulation from the last to minimise the entangled ones'
  loss minus the disentangled ones'.

  Args:
    manipulation: a `Manipulation`.
    entangled, disentangled: [`Reference`].
    space: the data set's `FactorSpace`.
    epsilon: the largest change of a pixel.
    decoder_optimizer: Keras optimiser of the decoders.
    samples: codes drawn per image.

  Attributes:
    references: {"entangled": [`Reference`], "disentangled": [`Reference`]}.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 4.4 and appendix B.1.
  """

  def __init__(
    self,
    manipulation,
    entangled,
    disentangled,
    space,
    *,
    epsilon,
    decoder_optimizer,
    samples=5,
  ):
    super().__init__()
    check_positive("Manipulator", epsilon=epsilon)
    check_count("Manipulator", samples=samples)
    if epsilon > _LARGEST:
      raise UserError(
        f"Manipulator.epsilon is {epsilon!r}: it must be at most {_LARGEST}"
      )
    if not entangled or not disentangled:
      raise UserError("Manipulator: name entangled and disentangled references")
    self.manipulation = manipulation
    self.epsilon = epsilon
    self.samples = samples
    self.seed = 0
    self._space = space
    self.references = {"entangled": entangled, "disentangled": disentangled}
    self.decoder_optimizer = decoder_optimizer  # which checkpoints with the decoders
    self.decoder_optimizer.build(self._decoder_variables)
    self.built = True

  def build(self, input_shape):
    pass

  @property
  def trainable_variables(self):
    # Decoders are their own optimiser's affair.
    return self.manipulation.trainable_variables

  def change(self, images, factors):
    """The manipulated images, in [0, 1], at most epsilon from `images`."""
    return fold(images + self.epsilon * self._pictures(factors))

  def reconstruction_losses(self, manipulated, factors, seed):
    """{"entangled": ..., "disentangled": ...}, means over the references of each kind.

    Args:
      manipulated: the images to reconstruct, from codes of the original ones.
      factors: of both.
      seed: int32 [2], of the codes.
    """
    places, count = grid_index(self._space, factors), tf.shape(factors)[0]
    found = {}
    for kind, references in self.references.items():
      losses = []
      for number, reference in enumerate(references):
        shape = [self.samples, count, reference.means.shape[1]]
        uniform = random_uniform(shape, split_seed(seed, f"{kind}_{number}"))
        noise = tfp.distributions.Normal(0.0, 1.0).quantile(uniform)
        noise = tf.ensure_shape(noise, [self.samples, None, shape[2]])
        losses.append(
          reference.reconstruction_loss(manipulated, reference.draw(places, noise))
        )
      found[kind] = tf.add_n(losses) / len(losses)
    return found

  def train_step(self, batch):
    seed = stream_seed(self.seed, "latents", self.optimizer.iterations)
    parts = list(zip(*(tf.split(values, PARTS) for values in batch), strict=True))
    for place, part in enumerate(parts[:-1]):
      self._teach_decoders(*part, split_seed(seed, f"decoders_{place}"))
    return self._teach_manipulation(*parts[-1], split_seed(seed, "manipulation"))

  def _teach_decoders(self, images, factors, seed):
    manipulated = tf.stop_gradient(self.change(images, factors))
    variables = self._decoder_variables
    with tf.GradientTape() as tape:
      losses = self.reconstruction_losses(manipulated, factors, seed)
      # Each decoder meets its own loss alone: a sum is as good as many optimisers.
      loss = sum(losses[kind] * len(self.references[kind]) for kind in losses)
    self.decoder_optimizer.apply(tape.gradient(loss, variables), variables)

  def _teach_manipulation(self, images, factors, seed):
    variables = self.trainable_variables
    with tf.GradientTape() as tape:
      pictures = self._pictures(factors)
      manipulated = fold(images + self.epsilon * pictures)
      losses = self.reconstruction_losses(manipulated, factors, seed)
      gap = losses["entangled"] - losses["disentangled"]
    self.optimizer.apply(tape.gradient(gap, variables), variables)
    saturated = tf.cast(tf.abs(pictures) > _SATURATED, tf.float32)
    changes = tf.reduce_sum((manipulated - images) ** 2, axis=[1, 2, 3])
    return {
      "loss": gap,
      **losses,
      "change": tf.reduce_mean(changes),
      "saturated": tf.reduce_mean(saturated),
    }

  def _pictures(self, factors):
    return self.manipulation(scaled_factors(factors, self._space.sizes))

  @property
  def _decoder_variables(self):
    return [
      variable
      for references in self.references.values()
      for reference in references
      for variable in reference.model.decoder.trainable_variables
    ]
