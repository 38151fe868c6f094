"""`RepresentationModel`, the base class of all models, with their training step."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.arguments import (
  check_instance,
  init_arguments,
  show_inherited_arguments,
)
from disentangle_tf.errors import UserError
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.models.replicas import apply_sum, num_replicas, whole_batch
from disentangle_tf.models.reporting_model import ReportingModel, without_targets
from disentangle_tf.priors import Prior
from disentangle_tf.random_streams import stream_seed
from disentangle_tf.supervision import SupervisedLoss
from disentangle_tf.tensor_types import Batch, Coefficient, Distribution, Tensor, Terms

Standardisation = Sequence[Sequence[float]] | np.ndarray  # (mean, std), per channel


class RepresentationModel(ReportingModel):
  """Base class of models: an encoder trained to minimise a sum of named terms.

  It contains the training step of all models. A subclass defines `latents` and
  `unsupervised_terms`. Its `__init__` passes its parents' arguments on as `*args` and
  `**shared`; its signature shows them all, so a misspelt argument is an error.
  Coefficients may be schedules, see `schedules`.

  Args:
    encoder: keras.Model, images -> [batch, values].
    standardisation: (mean, std), each with one value per channel; None leaves images
      unchanged.
    supervision: a `supervision.SupervisedLoss`. Every batch then includes labelled
      images: (batch, (images, labels)).
    name: as for any Keras model.

  Attributes:
    latents: number of latents.
    decoder: keras.Model, or None if the model has none.
    reconstruction: a `losses.ReconstructionLoss`, or None if the model has none.
    prior: a `priors.Prior`, or None if the model has none.
    pairs: whether a batch is a pair of image batches.
    needs_whole_batch: whether a loss term compares images of the batch with each other,
      so that replicas exchange codes, see `replicas`.
    compile_gradients: whether XLA compiles the gradients of a step; for replicas, whose
      optimiser it cannot compile.
    seed: the run's seed, which determines each step's latent noise.

  Example:
    >>> import numpy as np
    >>> import tensorflow as tf
    >>> from disentangle_tf import models, networks
    >>> class Whitening(models.RepresentationModel):
    ...   latents = 2
    ...
    ...   def unsupervised_terms(self, batch, seed, training):
    ...     codes = self.encode(batch, training).mean()
    ...     covariance = tf.matmul(codes, codes, transpose_a=True) / len(codes)
    ...     return {"whitening": tf.reduce_sum((covariance - tf.eye(2)) ** 2)}
    >>> model = Whitening(networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)))
    >>> terms = model.loss_terms(np.zeros((8, 4, 4, 1), np.float32), seed=(0, 0))
    >>> {name: float(value) for name, value in terms.items()}
    {'whitening': 2.0}
  """

  decoder: keras.Model | None = None
  reconstruction: ReconstructionLoss | None = None
  prior: Prior | None = None
  pairs = False
  needs_whole_batch = False
  compile_gradients = False
  latents: int

  def __init_subclass__(cls) -> None:
    super().__init_subclass__()
    show_inherited_arguments(cls)

  def __init__(
    self,
    encoder: keras.Model,
    *,
    standardisation: Standardisation | None = None,
    supervision: SupervisedLoss | None = None,
    name: str | None = None,
  ) -> None:
    kind = type(self).__name__
    if name is not None:
      check_instance(kind, str, "'mine'", name=name)
    super().__init__(name=name)
    check_instance(kind, keras.Model, "networks.mlp_encoder(...)", encoder=encoder)
    if supervision is not None:
      example = "supervision.L2()"
      check_instance(kind, SupervisedLoss, example, supervision=supervision)
    _check_standardisation(kind, standardisation)
    self.encoder = encoder
    self.standardisation = standardisation
    self.supervision = supervision
    self.seed = 0
    self._track_variables_of("supervision", supervision)
    self.built = True  # the networks are built already

  def build(self, input_shape: tuple[int | None, ...]) -> None:
    pass

  @property
  def step(self) -> Any:
    """Number of training steps so far: an integer variable, or 0 before `compile`."""
    optimizer = getattr(self, "optimizer", None)
    if optimizer is None:
      return 0
    # `iterations` counts updates, of which accumulated gradients need several steps.
    variables = getattr(optimizer, "inner_optimizer", optimizer).variables
    return next(each for each in variables if each.name == "iteration")

  def encode(self, images: Tensor, training: bool = False) -> Distribution:
    """Posterior of images in [0, 1]: a tfp distribution, [batch, latents].

    By default it is deterministic: the first values of the encoder's output.

    Args:
      images: [batch, height, width, channels], or [batch, *shape] for other data.
      training: whether batch normalisation learns.
    """
    codes = self.encoder(self._standardise(images), training=training)
    return tfp.distributions.Deterministic(codes[:, : self.latents])

  def unsupervised_terms(self, batch: Batch, seed: tf.Tensor, training: bool) -> Terms:
    """Named scalars whose sum is the loss without supervision."""
    raise NotImplementedError

  def loss_terms(self, batch: Batch, seed: tf.Tensor, training: bool = False) -> Terms:
    """Named scalars whose sum is the loss.

    Args:
      batch: images [batch, height, width, channels] in [0, 1], or a pair of them.
      seed: int32 [2] for the latent noise.
      training: whether batch normalisation learns.
    """
    if self.supervision is None:
      return self.unsupervised_terms(batch, seed, training)
    _, (images, labels) = batch
    codes = self.encode(images, training).mean()
    if self.supervision.needs_whole_batch:
      codes, labels = whole_batch((codes, labels))
    weight = self.now(self.supervision.gamma_sup)
    return {
      **self.unsupervised_terms(self.unlabelled(batch), seed, training),
      "supervised": weight * self.supervision(codes, labels),
    }

  def unlabelled(self, batch: Batch) -> Batch:
    """The batch without the labelled images for supervision."""
    return batch if self.supervision is None else batch[0]

  def now(self, coefficient: Coefficient) -> Any:
    """Value of a coefficient, a number or a schedule, at the present step."""
    return coefficient(self.step) if callable(coefficient) else coefficient

  def train_step(self, batch: Batch) -> Terms:
    """Train on a batch: {term: its value at this step}, including the loss."""
    batch = without_targets(batch)
    seed = self._step_seed("latents")
    terms = self.descend(
      lambda: self.loss_terms(batch, seed, training=True),
      self.optimizer,
      self.trainable_variables,
    )
    return self._with_loss(terms, batch)

  def descend(
    self,
    terms_of: Callable[[], Terms],
    optimizer: keras.optimizers.Optimizer,
    variables: Sequence[keras.Variable],
  ) -> Terms:
    """Take one step of `optimizer` to reduce the sum of the terms; return the terms."""

    def differentiate() -> tuple[Terms, Any]:
      with tf.GradientTape() as tape:
        terms = terms_of()
        # Gradients are summed over replicas; the loss is their mean.
        loss = tf.add_n(list(terms.values())) / num_replicas()
        scaled = optimizer.scale_loss(loss)
      return terms, tape.gradient(scaled, variables)

    if self.compile_gradients:
      differentiate = tf.function(differentiate, jit_compile=True)
    terms, gradients = differentiate()
    apply_sum(optimizer, gradients, variables)
    return terms

  def test_step(self, batch: Batch) -> Terms:
    """Compute the terms of a batch, including the loss, without training."""
    batch = without_targets(batch)
    terms = self.loss_terms(batch, stream_seed(self.seed, "test"))
    return self._with_loss(terms, batch)

  def call(self, images: tf.Tensor, training: bool = False) -> tf.Tensor:
    """Means of the codes; with a decoder, the reconstruction parameters instead."""
    return self.encode(images, training).mean()

  def compute_output_shape(
    self, input_shape: tuple[int | None, ...]
  ) -> tuple[int | None, ...]:
    """Shape of the output of `call`."""
    return (input_shape[0], self.latents)

  def check_batch(self, batch: Batch) -> None:
    """Raise a `UserError` if the model cannot learn from batches like this one."""
    name = type(self).__name__
    if self.supervision is not None:
      if not (isinstance(batch, tuple) and isinstance(batch[-1], tuple)):
        raise UserError(
          f"{name} has a supervised loss but the batches have no labels: set "
          "training.Sampling(labelled_set=data.LabelledSet(...))"
        )
      _, (_, labels) = batch
      self.supervision.check_labels(labels.shape[-1], self.latents)
    batch = self.unlabelled(batch)
    given = len(batch) if isinstance(batch, tuple) else 1
    if self.pairs and given < 2:
      raise UserError(
        f"{name} learns from pairs of images: set e.g. "
        "training.Sampling(draw=data.draw_pairs)"
      )
    if not self.pairs and given > 1:
      raise UserError(
        f"{name} learns from single images, not from {given} at once: set "
        "training.Sampling(draw=data.draw_single)"
      )

  def export(
    self,
    filepath: str | os.PathLike,
    *args: Any,
    input_signature: Sequence | None = None,
    **options: Any,
  ) -> None:
    """Export `call` as Keras does; `export.write_export` also exports the codes."""
    if input_signature is None:  # Keras would infer it from a call made before
      shape = (None, *self.encoder.input_shape[1:])
      input_signature = [keras.InputSpec(dtype="float32", shape=shape, name="images")]
    super().export(filepath, *args, input_signature=input_signature, **options)

  def get_config(self) -> dict:
    return {
      name: keras.saving.serialize_keras_object(value)
      for name, value in init_arguments(self).items()
    }

  @classmethod
  def from_config(cls, config: dict) -> RepresentationModel:
    return cls(
      **{
        name: keras.saving.deserialize_keras_object(value)
        for name, value in config.items()
      }
    )

  def encode_pair(
    self, pair: Sequence[tf.Tensor], training: bool
  ) -> tuple[Distribution, Distribution]:
    """Posteriors of both images of a pair, from one pass through the encoder."""
    both = self.encode(tf.concat(pair[:2], axis=0), training)
    size = tf.shape(pair[0])[0]
    return both[:size], both[size:]

  def _standardise(self, images: Any) -> tf.Tensor:
    if self.standardisation is None:
      return images
    mean, std = self.standardisation
    return (images - tf.constant(mean)) / tf.constant(std)

  def _track_variables_of(self, role: str, part: Any) -> None:
    """Track the variables of a loss or a prior, so that they are trained and saved."""
    if part is None:
      return
    # One attribute per variable, because checkpoints leave out the items of a tuple.
    for place, variable in enumerate(part.variables):
      setattr(self, f"_{role}_{place}", variable)
      earlier = f"_{type(part).__name__}_{place}"  # its name in older checkpoints
      if not hasattr(self, earlier):
        setattr(self, earlier, variable)

  def _with_loss(self, terms: Terms, batch: Batch) -> Terms:
    terms = {"loss": tf.add_n(list(terms.values())), **terms}
    self.count(terms, batch)
    return terms

  def _step_seed(self, stream: str) -> tf.Tensor:
    return stream_seed(self.seed, stream, self.step)


def _check_standardisation(owner: str, standardisation: Standardisation | None) -> None:
  if standardisation is None:
    return
  try:
    _, std = values = np.asarray(standardisation, np.float64)
    fits = values.ndim == 2 and np.isfinite(values).all() and (std > 0).all()
  except (TypeError, ValueError):
    fits = False
  if not fits:
    raise UserError(
      f"{owner}.standardisation is {standardisation!r}: it must be (mean, std), each a "
      "number per channel and std above 0, or None"
    )
