"""Signs that a model was not read as it was meant."""

import numpy as np

from disentangle_tf.data import Batches
from disentangle_tf.latent_use import is_deterministic, latent_use
from disentangle_tf.metrics import clipped_pixels

_NUM_IMAGES = 64
# Of the largest code. Half precision rounds to a thousandth, and not always alike.
_MOST_CHANGE = 0.01
_LEAST_SPREAD = 1e-6
# A latent. Its means are then 4.5 standard deviations of the prior out, or posteriors
# e^-10 as wide as the prior: no VAE pays that much for what it can use.
_MOST_NATS = 10.0
# Squared error over variance: 1 if the mean image is shown, 2 if just any image is.
_MEAN_IMAGE, _ANY_IMAGE = 1.0, 2.0
# Beyond [0, 1], and of how many pixels: without a sigmoid a decoder overshoots a bit.
_FAR, _SHARE = 0.5, 0.001
_RANGE_FLAGS = "see --input_range and --decoder_output"


def model_warnings(model, data, *, by_contract=False):
  """Lines that say what looks wrong in the answers to a few images; none if nothing.

  Args:
    model: an opened `ForeignModel`.
    data: the `GroundTruthData` that it is to be scored on.
    by_contract: whether it is known how its images are to be read, as of an export of
      this project; what is wrong with those is then its own.
  """
  images = Batches(data, batch_size=_NUM_IMAGES).make(0).numpy()
  means, log_variances = model.encode(images)
  warnings, error = list(_about_codes(model, images, means)), None
  if by_contract:
    return warnings
  if model.can_reconstruct:
    shown = model.reconstruct(images, clip=False)
    if model.interface.takes.layout != "points":
      warnings += _about_range(shown, model.interface.decoder_output)
      shown = np.clip(shown, 0.0, 1.0)
    error = _relative_error(images, shown)
  return [*warnings, *_about_proportion(means, log_variances, error)]


def clipping_warnings(table):
  """A line if decoded pixels are clipped, so that measures of the decoder are off.

  Args:
    table: the `CodesTable`, or `EndlessCodes`, of a model that decodes codes.
  """
  codes = table.sample(_NUM_IMAGES, np.random.default_rng(0)).codes
  share = clipped_pixels(table.decode(codes), table.may_clip)["clipped_pixels"]
  if share > _SHARE:
    yield (
      f"{share:.1%} of the decoded pixels are exactly 0 or 1, as if clipped, and do "
      "not move with the latents: scores of the decoder's Jacobian and of decoded "
      "samples are those of the clipped images; ask for a decoder that does not clip"
    )


def _about_codes(model, images, means):
  scale = max(1.0, np.max(np.abs(means)))
  if means.shape[1] == images[0].size:
    yield (
      f"the codes have {means.shape[1]} numbers, as many as an image: what was taken "
      "for the mean may be a reconstruction, see --output_key"
    )
  if np.max(np.ptp(means, axis=0)) < _LEAST_SPREAD * scale:
    yield "the codes of all images are the same: see --input_range and --input_key"
  # In other company, so that noise of a fixed seed and of batch statistics shows, too.
  halves = np.split(images, 2)
  again = [model.encode(half)[0] for half in reversed(halves)]
  change = np.max(np.abs(np.concatenate(again[::-1]) - means))
  if change > _MOST_CHANGE * np.max(np.abs(means)):
    yield (
      f"the same images got other codes when they were encoded again (by {change:.2g}, "
      f"where the largest is {np.max(np.abs(means)):.2g}): these are random, or depend "
      "on the batch; name the mean with --output_key, or see --input"
    )


def _about_range(shown, decoder_output):
  far = 1e-3 if decoder_output == "probabilities" else _FAR
  outside = np.mean((shown < -far) | (shown > 1 + far))
  if outside > _SHARE:
    yield (
      f"the decoder's images reach from {np.min(shown):.3g} to {np.max(shown):.3g} "
      f"rather than from 0 to 1, and {outside:.1%} of the pixels are cut off: "
      f"{_RANGE_FLAGS}"
    )


def _about_proportion(means, log_variances, error):
  """On KL and reconstructions that are far from what any use of them would be."""
  nats = np.zeros(1)
  if log_variances is not None and not is_deterministic(log_variances):
    nats = latent_use(means, log_variances)[0]
  told = "" if error is None else f"an error of {error:.3g} times the images' variance"
  if np.mean(nats) > _MOST_NATS and (error is None or error > _MEAN_IMAGE):
    yield (
      f"the KL is {np.sum(nats):.4g} nats an image, {np.mean(nats):.3g} a latent"
      f"{told and f', and reconstructions have {told}'}: see --input_range, and "
      "--output_key ROLE=NAME for what comes with the mean"
    )
  elif error is not None and error > _ANY_IMAGE:
    yield (
      f"reconstructions have {told}, more than any other image would: {_RANGE_FLAGS}"
    )


def _relative_error(images, shown):
  """Mean squared error over the variance of the images around their mean."""
  variance = np.mean((images - images.mean(axis=0)) ** 2, dtype=np.float64)
  error = np.mean((images - shown) ** 2, dtype=np.float64)
  return error / max(variance, np.finfo(np.float32).tiny)
