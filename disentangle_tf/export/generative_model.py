"""Likelihood and prior of a model, p(x|z) and p(z), as an export tells them."""

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.errors import UserError
from disentangle_tf.export.model_description import told_parts
from disentangle_tf.export.part_serialisation import (
  is_likelihood,
  likelihood_from_config,
  prior_from_config,
)

_BATCH = 256  # images at a time
# A decoder of Bernoulli probabilities, before which the latents are standard normal.
BERNOULLI = {
  "likelihood": {"class": "Bernoulli", "arguments": {}},
  "prior": {"class": "IsotropicNormal", "arguments": {}},
  "standardisation": None,
}


class GenerativeModel:
  """What it takes to say how likely a model finds an image, in nats.

  Args:
    likelihood: a `losses.ReconstructionLoss` that is the negative log of one.
    prior: a `priors.Prior`.
    standardisation: (mean, std) of the images that the likelihood is of, or None.
    decode_parameters: codes [N, latents] -> the decoder's parameters, [N, ...].
  """

  def __init__(self, likelihood, prior, standardisation, decode_parameters):
    self.likelihood = likelihood
    self.prior = prior
    self.standardisation = standardisation
    self.decode_parameters = decode_parameters

  def log_likelihoods(self, images, codes):
    """log p(x|z) of each image in [0, 1] at its code: float64 [N].

    Of a likelihood of standardised images it is the density of those.
    """
    starts = range(_BATCH, len(images), _BATCH)
    batches = (np.split(np.asarray(values), starts) for values in (images, codes))
    found = [self._log_likelihoods(*batch) for batch in zip(*batches, strict=True)]
    return np.concatenate(found)

  def divergences(self, means, log_variances, codes):
    """KL of each posterior from the prior: [N].

    In closed form, or where there is none its estimate at `codes`, drawn from it.
    """
    scales = np.exp(0.5 * np.asarray(log_variances))
    posterior = tfp.distributions.Normal(tf.constant(means), tf.constant(scales))
    each = self.prior.divergence(posterior, tf.constant(codes))
    return np.sum(each.numpy(), axis=1, dtype=np.float64)

  def try_out(self, image_shape, latents):
    """Raises a `UserError` if it cannot say anything about images of this shape.

    A stranger may have told what made it, and numbers that fit nothing.
    """
    images = np.zeros((1, *image_shape), np.float32)
    codes = np.zeros((1, latents), np.float32)
    try:
      with np.errstate(all="ignore"):
        nats = self.likelihood(self._targets(images), tf.constant(images)).numpy()
        divergence = self.divergences(codes, codes, codes)
    except Exception as error:  # of NumPy, TensorFlow and tfp, which raise many kinds
      raise UserError(
        f"the model's likelihood or prior fits no images of shape {image_shape} and "
        f"{latents} latents"
      ) from error
    if (
      nats.shape != images.shape or not np.isfinite([*nats.ravel(), *divergence]).all()
    ):
      raise UserError("the model's likelihood or prior gives no numbers")

  def _log_likelihoods(self, images, codes):
    parameters = tf.constant(self.decode_parameters(codes))
    each = self.likelihood(self._targets(images), parameters).numpy()
    return -np.sum(each.reshape(len(images), -1), axis=1, dtype=np.float64)

  def _targets(self, images):
    if not self.likelihood.standardised or self.standardisation is None:
      return tf.constant(images)
    mean, std = (np.array(values, np.float32) for values in self.standardisation)
    return tf.constant((np.asarray(images) - mean) / std)


def generative_config(manifest):
  """What a manifest tells of p(z) and p(x|z): likelihood, prior, standardisation.

  Of a loss that is no likelihood only the name.

  Args:
    manifest: as of `read_manifest`; {} of a model that has none.

  Returns:
    A dictionary for `generative_model_from_config`, or None if it tells nothing.
  """
  parts = told_parts(manifest)
  if not parts:
    return None
  likelihood = parts.get("reconstruction")
  if likelihood is not None and not is_likelihood(likelihood["class"]):
    likelihood = {"class": likelihood["class"], "arguments": None}
  return {
    "likelihood": likelihood,
    "prior": parts.get("prior"),
    "standardisation": parts.get("standardisation"),
  }


def generative_model_from_config(config, decode_parameters):
  """The `GenerativeModel` that `generative_config` found in a manifest.

  The text may come from a stranger, so only this package's own likelihoods and priors
  are made from it. Raises a `UserError` that says why there is none.
  """
  if not isinstance(config, dict) or decode_parameters is None:
    raise UserError(
      "the model does not say what its likelihood is (--decoder_output logits or "
      "probabilities says it of one that decodes codes)"
    )
  likelihood = likelihood_from_config(config.get("likelihood"))
  prior = prior_from_config(config.get("prior"))
  standardisation = config.get("standardisation")
  return GenerativeModel(likelihood, prior, standardisation, decode_parameters)
