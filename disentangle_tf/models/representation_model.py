"""`RepresentationModel`, the base class of all models: the one training step."""

import keras
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_instance
from disentangle_tf.errors import UserError
from disentangle_tf.init_arguments import init_arguments, show_inherited_arguments
from disentangle_tf.models.replicas import apply_sum, num_replicas, whole_batch
from disentangle_tf.models.reporting_model import ReportingModel, without_targets
from disentangle_tf.random_streams import stream_seed
from disentangle_tf.supervision import SupervisedLoss


class RepresentationModel(ReportingModel):
  """An encoder that learns by minimising a sum of named terms.

  The one training step of the family is here. A subclass defines `latents` and
  `unsupervised_terms`; it takes its parents' init arguments without repeating them, as
  `*args` and `**shared`, and shows them all in its signature, so that a misspelt one is
  an error. Coefficients may be schedules, see `schedules`.

  Args:
    encoder: keras.Model, images -> [batch, values].
    standardisation: (mean, std), one value per channel each; None leaves images alone.
    supervision: a `supervision.SupervisedLoss`, whose labelled images then come with
      every batch: (batch, (images, labels)).

  Attributes:
    latents: the number of latents.
    decoder, reconstruction, prior: None where a model has none.
    pairs: whether a batch is a pair of image batches.
    needs_whole_batch: whether a loss term compares images of the batch with each other,
      so that replicas exchange codes, see `replicas`.
    compile_gradients: whether XLA compiles the gradients of a step; for replicas, whose
      optimiser it cannot compile.
    seed: the run's seed, from which each step's latent noise follows.
  """

  decoder = None
  reconstruction = None
  prior = None
  pairs = False
  needs_whole_batch = False
  compile_gradients = False

  def __init_subclass__(cls):
    super().__init_subclass__()
    show_inherited_arguments(cls)

  def __init__(self, encoder, *, standardisation=None, supervision=None, name=None):
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
    self.built = True  # networks come built; there is nothing else to make

  def build(self, input_shape):
    pass

  @property
  def step(self):
    """The training step: how many the optimiser has seen, 0 before there is one."""
    optimizer = getattr(self, "optimizer", None)
    if optimizer is None:
      return 0
    # Not `iterations`, the updates: accumulated gradients make one of several steps.
    variables = getattr(optimizer, "inner_optimizer", optimizer).variables
    return next(each for each in variables if each.name == "iteration")

  def encode(self, images, training=False):
    """Posterior of images in [0, 1]: a tfp distribution, [batch, latents].

    Here the encoder's first values, for certain; a subclass may make more of them.
    """
    codes = self.encoder(self._standardise(images), training=training)
    return tfp.distributions.Deterministic(codes[:, : self.latents])

  def unsupervised_terms(self, batch, seed, training):
    """Named scalars whose sum is the loss, but for supervision."""
    raise NotImplementedError

  def loss_terms(self, batch, seed, training=False):
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

  def unlabelled(self, batch):
    """The batch without the labelled images that supervision brings."""
    return batch if self.supervision is None else batch[0]

  def now(self, coefficient):
    """The present value of a coefficient: a number or a schedule."""
    return coefficient(self.step) if callable(coefficient) else coefficient

  def train_step(self, batch):
    """Learns from a batch: {term: its value at this step}, the loss among them."""
    batch = without_targets(batch)
    seed = self._step_seed("latents")
    terms = self.descend(
      lambda: self.loss_terms(batch, seed, training=True),
      self.optimizer,
      self.trainable_variables,
    )
    return self._with_loss(terms, batch)

  def descend(self, terms_of, optimizer, variables):
    """One step of `optimizer` down the sum of the terms, which it returns."""

    def differentiate():
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

  def test_step(self, batch):
    """The terms of a batch, the loss among them, without learning."""
    batch = without_targets(batch)
    terms = self.loss_terms(batch, stream_seed(self.seed, "test"))
    return self._with_loss(terms, batch)

  def call(self, images, training=False):
    """Means of the codes; of a model with a decoder, reconstruction parameters."""
    return self.encode(images, training).mean()

  def compute_output_shape(self, input_shape):
    """Of what `call` gives."""
    return (input_shape[0], self.latents)

  def check_batch(self, batch):
    """Raises a `UserError` if `batch` is not what this model learns from."""
    name = type(self).__name__
    if self.supervision is not None:
      if not (isinstance(batch, tuple) and isinstance(batch[-1], tuple)):
        raise UserError(
          f"{name} has a supervised loss but the batches have no labels: set "
          "training.Sampling.labelled_set = @data.LabelledSet()"
        )
      _, (_, labels) = batch
      self.supervision.check_labels(labels.shape[-1], self.latents)
    batch = self.unlabelled(batch)
    given = len(batch) if isinstance(batch, tuple) else 1
    if self.pairs and given < 2:
      raise UserError(
        f"{name} learns from pairs of images: set training.Sampling.draw, e.g. "
        "= @data.draw_pairs"
      )
    if not self.pairs and given > 1:
      raise UserError(
        f"{name} learns from single images, not from {given} at once: set "
        "training.Sampling.draw = @data.draw_single"
      )

  def export(self, filepath, *args, input_signature=None, **options):
    """Keras' own export, of `call`; `export.write_export` offers more than that."""
    if input_signature is None:  # Keras would infer it from a call made before
      shape = (None, *self.encoder.input_shape[1:])
      input_signature = [keras.InputSpec(dtype="float32", shape=shape, name="images")]
    super().export(filepath, *args, input_signature=input_signature, **options)

  def get_config(self):
    return {
      name: keras.saving.serialize_keras_object(value)
      for name, value in init_arguments(self).items()
    }

  @classmethod
  def from_config(cls, config):
    return cls(
      **{
        name: keras.saving.deserialize_keras_object(value)
        for name, value in config.items()
      }
    )

  def encode_pair(self, pair, training):
    """Both posteriors, from one pass through the encoder."""
    both = self.encode(tf.concat(pair[:2], axis=0), training)
    size = tf.shape(pair[0])[0]
    return both[:size], both[size:]

  def _standardise(self, images):
    if self.standardisation is None:
      return images
    mean, std = self.standardisation
    return (images - tf.constant(mean)) / tf.constant(std)

  def _track_variables_of(self, role, part):
    """Learns what a loss or a prior holds as if it were the model's own."""
    if part is None:
      return
    # One attribute each: checkpoints leave out what is only in a list.
    for place, variable in enumerate(part.variables):
      setattr(self, f"_{role}_{place}", variable)
      earlier = f"_{type(part).__name__}_{place}"  # its name in older checkpoints
      if not hasattr(self, earlier):
        setattr(self, earlier, variable)

  def _with_loss(self, terms, batch):
    terms = {"loss": tf.add_n(list(terms.values())), **terms}
    self.count(terms, batch)
    return terms

  def _step_seed(self, stream):
    return stream_seed(self.seed, stream, self.step)


def _check_standardisation(owner, standardisation):
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
