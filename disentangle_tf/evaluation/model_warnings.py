"""Signs that a model was read in a wrong way."""

from __future__ import annotations

import typing
from collections.abc import Iterator

import numpy as np

from disentangle_tf.data import Batches
from disentangle_tf.latent_use import is_deterministic, latent_use
from disentangle_tf.metrics import clipped_pixels

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.foreign.foreign_model import ForeignModel
  from disentangle_tf.scoring.codes_table import CodesTable
  from disentangle_tf.scoring.endless_codes import EndlessCodes


_NUM_IMAGES = 64
# Relative to the largest code. Half precision rounds to a thousandth, not always alike.
_MOST_CHANGE = 0.01
_LEAST_SPREAD = 1e-6
# Per latent. The means are then 4.5 standard deviations of the prior away from 0, or
# the posteriors e^-10 times as wide as the prior: no VAE pays that much.
_MOST_NATS = 10.0
# Squared error over variance: 1 for the mean image, 2 for an unrelated image.
_MEAN_IMAGE, _ANY_IMAGE = 1.0, 2.0
# Distance beyond [0, 1], and share of pixels: without a sigmoid decoders overshoot.
_FAR, _SHARE = 0.5, 0.001
_RANGE = "check input_range and decoder_output"


def model_warnings(
  model: ForeignModel, data: GroundTruthData, *, by_contract: bool = False
) -> list[str]:
  """Describe what looks wrong in a model's answers to a few images, one line each.

  Args:
    model: an opened `ForeignModel`.
    data: the `GroundTruthData` to score it on.
    by_contract: whether the reading of its images is known, as for an export of this
      project. Bad reconstructions are then not a sign of a wrong reading.
  """
  images = np.asarray(Batches(data, batch_size=_NUM_IMAGES).make(0))
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


def clipping_warnings(table: CodesTable | EndlessCodes) -> Iterator[str]:
  """Warn if decoded pixels are clipped, which falsifies measures of the decoder.

  Args:
    table: the `CodesTable`, or `EndlessCodes`, of a model that decodes codes.
  """
  codes = table.sample(_NUM_IMAGES, np.random.default_rng(0)).codes
  share = clipped_pixels(table.decode(codes), table.may_clip)["clipped_pixels"]
  if share > _SHARE:
    yield (
      f"{share:.1%} of the decoded pixels are exactly 0 or 1, as if clipped, and do "
      "not move with the latents: scores of the decoder's Jacobian and of decoded "
      "samples are those of the clipped images; use a decoder that does not clip"
    )


def _about_codes(
  model: ForeignModel, images: np.ndarray, means: np.ndarray
) -> Iterator[str]:
  scale = max(1.0, np.max(np.abs(means)))
  if means.shape[1] == images[0].size:
    yield (
      f"the codes have {means.shape[1]} numbers, as many as an image: what was taken "
      "for the mean may be a reconstruction: check output_key"
    )
  if np.max(np.ptp(means, axis=0)) < _LEAST_SPREAD * scale:
    yield "the codes of all images are the same: check input_range and input_key"
  # In different batches, so that batch statistics and noise of a fixed seed show too.
  halves = np.split(images, 2)
  again = [model.encode(half)[0] for half in reversed(halves)]
  change = np.max(np.abs(np.concatenate(again[::-1]) - means))
  if change > _MOST_CHANGE * np.max(np.abs(means)):
    yield (
      f"the same images got other codes when they were encoded again (by {change:.2g}, "
      f"where the largest is {np.max(np.abs(means)):.2g}): these are random, or depend "
      "on the batch; name the mean with output_key, or check inputs"
    )


def _about_range(shown: np.ndarray, decoder_output: str | None) -> Iterator[str]:
  far = 1e-3 if decoder_output == "probabilities" else _FAR
  outside = np.mean((shown < -far) | (shown > 1 + far))
  if outside > _SHARE:
    yield (
      f"the decoder's images reach from {np.min(shown):.3g} to {np.max(shown):.3g} "
      f"rather than from 0 to 1, and {outside:.1%} of the pixels are cut off: "
      f"{_RANGE}"
    )


def _about_proportion(
  means: np.ndarray, log_variances: np.ndarray | None, error: float | None
) -> Iterator[str]:
  """Warn of a KL or reconstructions that no trained VAE would have."""
  nats = np.zeros(1)
  if log_variances is not None and not is_deterministic(log_variances):
    nats = latent_use(means, log_variances)[0]
  words = "" if error is None else f"an error of {error:.3g} times the images' variance"
  if np.mean(nats) > _MOST_NATS and (error is None or error > _MEAN_IMAGE):
    yield (
      f"the KL is {np.sum(nats):.4g} nats an image, {np.mean(nats):.3g} a latent"
      f"{words and f', and reconstructions have {words}'}: check input_range, and "
      "output_key ROLE=NAME for the outputs besides the mean"
    )
  elif error is not None and error > _ANY_IMAGE:
    yield (f"reconstructions have {words}, more than an unrelated image: {_RANGE}")


def _relative_error(images: np.ndarray, shown: np.ndarray) -> float:
  """Mean squared error over the variance of the images around their mean."""
  variance = np.mean((images - images.mean(axis=0)) ** 2, dtype=np.float64)
  error = np.mean((images - shown) ** 2, dtype=np.float64)
  return error / max(variance, np.finfo(np.float32).tiny)
