"""One learning step of a manipulation, and what TensorBoard shows of it."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence

import keras
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.adversary.manipulation import scaled_factors
from disentangle_tf.arguments import check_count, check_positive
from disentangle_tf.data.factor_space import grid_index
from disentangle_tf.data.sets.wrappers import fold
from disentangle_tf.errors import UserError
from disentangle_tf.plots import change_rows, image_grid
from disentangle_tf.random_streams import random_uniform, split_seed, stream_seed
from disentangle_tf.tensor_types import Tensor

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.adversary.manipulation import Manipulation
  from disentangle_tf.adversary.references import Reference
  from disentangle_tf.data import FactorSpace, GroundTruthData


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


PARTS = 4  # of a batch: decoders learn from three, the manipulation from the last
_LARGEST = 0.49  # a change is stored in a byte
_SATURATED = 0.95


class Manipulator(keras.Model):
  """Learns m in x' = fold(x + epsilon m(w)) against decoders that learn x'.

  Encoders are frozen and see the original images. One step takes a batch in four
  parts. From three of them the decoders of all references learn to reconstruct the
  manipulated images. From the last the manipulation learns to minimise the loss of the
  entangled references minus that of the disentangled ones.

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

  Example:
    >>> import keras
    >>> from disentangle_tf import adversary, data, losses, models, networks
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> shape = squares.observation_shape
    >>> encoder = networks.mlp_encoder(shape, latents=2)
    >>> decoder = networks.mlp_decoder(shape, latents=2)
    >>> model = models.BetaVAE(encoder, decoder, losses.MSE(), beta=0.1)
    >>> reference = adversary.Reference.of_model(model, squares)
    >>> manipulator = adversary.Manipulator(
    ...   adversary.mlp_manipulation(shape, len(squares.factors)),
    ...   [reference],
    ...   [reference],
    ...   squares.factors,
    ...   epsilon=0.1,
    ...   decoder_optimizer=keras.optimizers.Adam(),
    ... )
    >>> factors = squares.factors.to_factors([0, 1])
    >>> manipulator.change(squares.observe(factors), factors).shape
    TensorShape([2, 8, 8, 1])
  """

  def __init__(
    self,
    manipulation: Manipulation,
    entangled: Sequence[Reference],
    disentangled: Sequence[Reference],
    space: FactorSpace,
    *,
    epsilon: float,
    decoder_optimizer: keras.optimizers.Optimizer,
    samples: int = 5,
  ) -> None:
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
    self.decoder_optimizer = decoder_optimizer  # in the checkpoint
    self.decoder_optimizer.build(self._decoder_variables)
    self.built = True

  def build(self, input_shape: object) -> None:
    pass

  @property
  def networks(self) -> list[keras.Model]:
    """All networks that a step runs: the manipulation's and the decoders."""
    references = (each for kind in self.references.values() for each in kind)
    return [self.manipulation, *(each.model.decoder for each in references)]

  @property
  def trainable_variables(self) -> list[keras.Variable]:
    # The decoders have an optimiser of their own.
    return self.manipulation.trainable_variables

  def change(self, images: Tensor, factors: Tensor) -> tf.Tensor:
    """The manipulated images in [0, 1], at most epsilon from `images`."""
    return fold(images + self.epsilon * self._pictures(factors))

  def reconstruction_losses(
    self, manipulated: tf.Tensor, factors: tf.Tensor, seed: tf.Tensor
  ) -> dict[str, tf.Tensor]:
    """{"entangled": mean loss, "disentangled": mean loss} over the references.

    Args:
      manipulated: the images to reconstruct, from codes of the original ones.
      factors: [batch, factors] of these images.
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

  def train_step(self, batch: tuple[tf.Tensor, tf.Tensor]) -> dict[str, tf.Tensor]:
    seed = stream_seed(self.seed, "latents", self.optimizer.iterations)
    images, factors = (tf.split(values, PARTS) for values in batch)
    for place in range(PARTS - 1):
      own_seed = split_seed(seed, f"decoders_{place}")
      self._teach_decoders(images[place], factors[place], own_seed)
    own_seed = split_seed(seed, "manipulation")
    return self._teach_manipulation(images[-1], factors[-1], own_seed)

  def _teach_decoders(
    self, images: tf.Tensor, factors: tf.Tensor, seed: tf.Tensor
  ) -> None:
    manipulated = tf.stop_gradient(self.change(images, factors))
    variables = self._decoder_variables
    with tf.GradientTape() as tape:
      losses = self.reconstruction_losses(manipulated, factors, seed)
      # Each decoder affects its own loss only, so one optimiser of the sum is enough.
      loss = tf.add_n([losses[kind] * len(self.references[kind]) for kind in losses])
    self.decoder_optimizer.apply(tape.gradient(loss, variables), variables)

  def _teach_manipulation(
    self, images: tf.Tensor, factors: tf.Tensor, seed: tf.Tensor
  ) -> dict[str, tf.Tensor]:
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

  def _pictures(self, factors: Tensor) -> tf.Tensor:
    return self.manipulation(scaled_factors(factors, self._space.sizes))

  @property
  def _decoder_variables(self) -> list[keras.Variable]:
    _, *decoders = self.networks
    return [variable for each in decoders for variable in each.trainable_variables]
