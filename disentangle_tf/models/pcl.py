"""PCL, permutation contrastive learning (Hyvarinen & Morioka 2017), no decoder."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.models.replicas import own_rows, whole_batch
from disentangle_tf.models.representation_model import RepresentationModel
from disentangle_tf.random_streams import random_order, split_seed
from disentangle_tf.tensor_types import Batch, Terms


@keras.saving.register_keras_serializable(package="disentangle_tf")
class PCL(RepresentationModel):
  """PCL: an encoder that distinguishes successive images from images out of order.

  It is a logistic regression on r(h, h') = -sum |a h + b h' + c| + sum h^2 + d, where h
  is the code of an image and h' that of the preceding image. Images out of order are
  those of the batch, permuted. There is no decoder.

  r models log p(h | h') - log p(h) for sources with Laplace innovations and a nearly
  normal density, so the code of the later image is squared. The encoder chooses the
  scale of h, and thereby the weight of the square.

  Args:
    encoder: keras.Model, images -> [batch, latents]; or [batch, 2 * latents], of which
      the log-variances are ignored.
    latents: number of latents.

  The other arguments are those of `RepresentationModel`.

  Raises:
    UserError: the encoder has another number of outputs.

  Reference: Hyvarinen & Morioka, 2017, "Nonlinear ICA of Temporally Dependent
  Stationary Sources".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import models, networks
    >>> encoder = networks.mlp_encoder((4, 4, 1), latents=2, units=(8,))
    >>> model = models.PCL(encoder, latents=2)
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms((images, images), seed=(0, 0)))
    ['contrast']
  """

  pairs = True
  needs_whole_batch = True

  def __init__(self, encoder: keras.Model, *, latents: int, **shared: Any) -> None:
    super().__init__(encoder, **shared)
    check_count("PCL", latents=latents)
    values = encoder.output_shape[-1]
    if values not in (latents, 2 * latents):
      raise UserError(
        f"the encoder gives {values} values per image: PCL with {latents} latents "
        f"needs {latents}, or {2 * latents} with log-variances"
      )
    self.latents = latents
    self.a = self.add_weight(shape=(latents,), initializer="ones", name="a")
    self.b = self.add_weight(
      shape=(latents,), initializer=keras.initializers.Constant(-1.0), name="b"
    )
    self.c = self.add_weight(shape=(latents,), initializer="zeros", name="c")
    self.d = self.add_weight(shape=(), initializer="zeros", name="d")

  def unsupervised_terms(self, batch: Batch, seed: tf.Tensor, training: bool) -> Terms:
    codes, successors = (p.mean() for p in self.encode_pair(batch, training))
    whole = whole_batch(successors)
    order = random_order(tf.shape(whole)[:1], split_seed(seed, "permutation"))
    in_order = self.score(codes, successors)
    out_of_order = self.score(codes, tf.gather(whole, own_rows(order)))
    loss = tf.nn.softplus(-in_order) + tf.nn.softplus(out_of_order)
    return {"contrast": 0.5 * tf.reduce_mean(loss)}

  def score(self, codes: tf.Tensor, successors: tf.Tensor) -> tf.Tensor:
    """r(h, h'), the log-odds that `successors` follow `codes`: [batch]."""
    steps = tf.abs(self.a * successors + self.b * codes + self.c)
    return tf.reduce_sum(successors**2 - steps, axis=1) + self.d
