"""PCL, permutation contrastive learning (Hyvarinen & Morioka 2017): no decoder."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.models.replicas import own_rows, whole_batch
from disentangle_tf.models.representation_model import RepresentationModel
from disentangle_tf.random_streams import random_order, split_seed


@keras.saving.register_keras_serializable(package="disentangle_tf")
class PCL(RepresentationModel):
  """An encoder that tells successive images from images out of order.

  A logistic regression on r(h, h') = -sum |a h + b h' + c| + sum h^2 + d, with the
  codes h of an image and h' of the one before it; the images out of order are the
  batch's, permuted. There is no decoder.

  This is log p(h | h') - log p(h) of sources with Laplace innovations and a nearly
  normal density, so it is the later image whose code is squared. The scale of h, which
  the encoder may choose, weighs the square.

  Args:
    encoder: keras.Model, images -> [batch, latents] or, with log-variances that are not
      used, [batch, 2 * latents].
    latents: the number of latents.
    standardisation, supervision: see `RepresentationModel`.

  Reference: Hyvarinen & Morioka, 2017, "Nonlinear ICA of Temporally Dependent
  Stationary Sources".
  """

  pairs = True
  needs_whole_batch = True

  def __init__(self, encoder, *, latents, **shared):
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

  def unsupervised_terms(self, batch, seed, training):
    codes, successors = (p.mean() for p in self.encode_pair(batch, training))
    whole = whole_batch(successors)
    order = random_order(tf.shape(whole)[:1], split_seed(seed, "permutation"))
    in_order = self.score(codes, successors)
    out_of_order = self.score(codes, tf.gather(whole, own_rows(order)))
    loss = tf.nn.softplus(-in_order) + tf.nn.softplus(out_of_order)
    return {"contrast": 0.5 * tf.reduce_mean(loss)}

  def score(self, codes, successors):
    """r(h, h'): the log-odds that `successors` follow `codes`, [batch]."""
    steps = tf.abs(self.a * successors + self.b * codes + self.c)
    return tf.reduce_sum(successors**2 - steps, axis=1) + self.d
