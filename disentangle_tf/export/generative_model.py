"""`GenerativeModel`: likelihood p(x|z) and prior p(z), as a manifest records them."""

from collections.abc import Callable, Sequence
from typing import Any

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
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.priors import Prior

_BATCH = 256  # images at a time
# A decoder of Bernoulli probabilities with a standard normal prior.
BERNOULLI = {
  "likelihood": {"class": "Bernoulli", "arguments": {}},
  "prior": {"class": "IsotropicNormal", "arguments": {}},
  "standardisation": None,
}


class GenerativeModel:
  """Likelihood, prior and decoder of a model: the densities of images, in nats.

  Args:
    likelihood: a `losses.ReconstructionLoss` that is the negative logarithm of a
      likelihood.
    prior: a `priors.Prior`.
    standardisation: (mean, std) of the images that the likelihood applies to, or None.
    decode_parameters: function of codes [N, latents] that returns the decoder's
      parameters [N, ...].

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import export, losses, priors
    >>> def decode(codes):  # logit 0, probability 0.5 for every pixel
    ...   return np.zeros((len(codes), 2, 2, 1), np.float32)
    >>> model = export.GenerativeModel(
    ...   losses.Bernoulli(), priors.IsotropicNormal(), None, decode
    ... )
    >>> images, codes = np.ones((1, 2, 2, 1), np.float32), np.zeros((1, 3), np.float32)
    >>> round(float(model.log_likelihoods(images, codes)[0]), 3)  # 4 * log(0.5)
    -2.773
  """

  def __init__(
    self,
    likelihood: ReconstructionLoss,
    prior: Prior,
    standardisation: Sequence | np.ndarray | None,
    decode_parameters: Callable[[np.ndarray], np.ndarray],
  ) -> None:
    self.likelihood = likelihood
    self.prior = prior
    self.standardisation = standardisation
    self.decode_parameters = decode_parameters

  def log_likelihoods(self, images: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """log p(x|z) of each image in [0, 1] at its code: float64 [N].

    If the likelihood is that of standardised images, this is their density.
    """
    starts = list(range(_BATCH, len(images), _BATCH))
    batches = (np.split(np.asarray(values), starts) for values in (images, codes))
    found = [self._log_likelihoods(*batch) for batch in zip(*batches, strict=True)]
    return np.concatenate(found)

  def divergences(
    self, means: np.ndarray, log_variances: np.ndarray, codes: np.ndarray
  ) -> np.ndarray:
    """KL of each posterior from the prior: [N].

    It is the closed form if there is one, otherwise an estimate from `codes`, which are
    drawn from the posteriors.
    """
    scales = np.exp(0.5 * np.asarray(log_variances))
    posterior = tfp.distributions.Normal(tf.constant(means), tf.constant(scales))
    each = self.prior.divergence(posterior, tf.constant(codes))
    return each.numpy().sum(axis=1, dtype=np.float64)

  def try_out(self, image_shape: Sequence[int], latents: int) -> None:
    """Raise a `UserError` if the parts do not fit images of this shape.

    The manifest of a foreign model may contain numbers that fit nothing.
    """
    images = np.zeros((1, *image_shape), np.float32)
    codes = np.zeros((1, latents), np.float32)
    try:
      with np.errstate(all="ignore"):
        nats = self.likelihood(self._targets(images), tf.constant(images)).numpy()
        (divergence,) = self.divergences(codes, codes, codes)
    except Exception as error:  # of NumPy, TensorFlow and tfp, which raise many kinds
      raise UserError(
        f"the model's likelihood or prior fits no images of shape {image_shape} and "
        f"{latents} latents"
      ) from error
    if nats.shape != images.shape or not np.isfinite([*nats.ravel(), divergence]).all():
      raise UserError("the model's likelihood or prior gives no finite numbers")

  def _log_likelihoods(self, images: np.ndarray, codes: np.ndarray) -> np.ndarray:
    parameters = tf.constant(self.decode_parameters(codes))
    each = self.likelihood(self._targets(images), parameters).numpy()
    return -each.reshape(len(images), -1).sum(axis=1, dtype=np.float64)

  def _targets(self, images: np.ndarray) -> tf.Tensor:
    if not self.likelihood.standardised or self.standardisation is None:
      return tf.constant(images)
    mean, std = (np.array(values, np.float32) for values in self.standardisation)
    return tf.constant((np.asarray(images) - mean) / std)


def generative_config(manifest: dict) -> dict | None:
  """Likelihood, prior and standardisation that a manifest records.

  For a loss that is not a likelihood, only the name is kept.

  Args:
    manifest: see `read_manifest`; {} for a model without a manifest.

  Returns:
    A dictionary for `generative_model_from_config`, or None if nothing is recorded.
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


def generative_model_from_config(
  config: Any, decode_parameters: Callable[[np.ndarray], np.ndarray] | None
) -> GenerativeModel:
  """Build the `GenerativeModel` that `generative_config` describes.

  The configuration may come from a foreign model, so only this package's likelihoods
  and priors are built. A `UserError` gives the reason if none can be built.
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
