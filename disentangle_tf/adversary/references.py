"""The models that a manipulation is learned with and against."""

from __future__ import annotations

import dataclasses
import logging
import typing
from collections.abc import Callable, Sequence

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.metrics._active_latents import is_active
from disentangle_tf.tensor_types import Tensor

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData


# Largest ratio of an entangled reference's squared error to a disentangled one's.
MOST_ABOVE = 1.1

_NUM_COMPARED = 1024  # images


def compared_points(data: GroundTruthData) -> np.ndarray:
  """Factors [points, factors] of the images on which references are compared."""
  return data.factors.draw(_NUM_COMPARED, np.random.default_rng(0))


@dataclasses.dataclass(frozen=True, eq=False)
class Reference:
  """A model whose encoder is frozen, so that its posteriors are constant.

  Attributes:
    model: the Keras model; its decoder continues to learn.
    means, scales: [images, latents] of the posteriors of the original images, in index
      order.
    name: its name in messages and in the manifest.
    told: {name: value} that the manifest records about it.

  Example:
    >>> from disentangle_tf import adversary, data, losses, models, networks
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> shape = squares.observation_shape
    >>> encoder = networks.mlp_encoder(shape, latents=2)
    >>> decoder = networks.mlp_decoder(shape, latents=2)
    >>> model = models.BetaVAE(encoder, decoder, losses.MSE(), beta=0.1)
    >>> reference = adversary.Reference.of_model(model, squares, "seed 1")
    >>> reference.means.shape == (squares.factors.num_points, 2)
    True
  """

  model: keras.Model
  means: np.ndarray
  scales: np.ndarray
  name: str = ""
  told: dict = dataclasses.field(default_factory=dict)

  @classmethod
  def of_model(
    cls,
    model: keras.Model,
    data: GroundTruthData,
    name: str = "",
    *,
    told: dict | None = None,
    batch_size: int = 256,
  ) -> Reference:
    """Encode all of `data`.

    Args:
      model: the `RepresentationModel`, with a decoder.
      data: a `GroundTruthData` with one image per point.
      name, told: as for the class.
      batch_size: images encoded at a time.

    Raises:
      UserError: if there is no decoder, or points have several images.
    """
    if model.decoder is None:
      raise UserError(f"the reference {name or type(model).__name__} has no decoder")
    if not data.one_image_per_point:
      raise UserError(
        f"{data.name} draws new noise for each image: the adversary needs one image "
        "per point"
      )
    means, scales = [], []
    for _, images in data.in_order(batch_size):
      posterior = model.encode(images)
      means.append(posterior.mean().numpy())
      scales.append(posterior.stddev().numpy())
    return cls(model, np.concatenate(means), np.concatenate(scales), name, told or {})

  def draw(self, places: Tensor, noise: tf.Tensor) -> tf.Tensor:
    """Codes [samples, batch, latents] of the images at `places` [batch].

    Args:
      noise: [samples, batch, latents], standard normal.
    """
    means = tf.gather(tf.constant(self.means), places)
    return means + tf.gather(tf.constant(self.scales), places) * noise

  def reconstruction_loss(self, images: tf.Tensor, codes: tf.Tensor) -> tf.Tensor:
    """The model's own loss: the sum over pixels, the mean over images and samples.

    Args:
      images: [batch, height, width, channels] in [0, 1].
      codes: [samples, batch, latents].
    """
    samples = codes.shape[0]
    assert samples is not None  # `Manipulator` fixes it
    images = tf.tile(images, [samples, 1, 1, 1])
    codes = tf.reshape(codes, [-1, codes.shape[-1]])
    return tf.reduce_mean(self.model.reconstruction_losses(images, codes))

  def squared_error(self, images: Tensor, places: np.ndarray) -> float:
    """Squared error at one sampled code per image: sum over pixels, mean over images.

    It compares models with different losses.

    Args:
      images: [batch, height, width, channels], original images.
      places: [batch], their positions in index order.
    """
    shape = (1, len(places), self.means.shape[1])
    noise = tf.constant(np.random.default_rng(0).standard_normal(shape, np.float32))
    decoded = self.model.decode_images(self.draw(places, noise)[0])
    return float(np.mean(np.sum((decoded - images) ** 2, axis=(1, 2, 3))))


_log = logging.getLogger(__name__)
_LITTLE = 0.2  # a difference of scores that is too small to learn from


@dataclasses.dataclass(frozen=True)
class Candidate:
  """A trained model that may become a reference.

  Attributes:
    name: its name in messages and in the manifest.
    score: how disentangled it is; higher is better.
    setting: text. Only models of one setting are compared: less noise in the codes (a
      lower beta) says nothing about the alignment of latents.
    load: function without arguments that returns the Keras model.
    told: {name: value} that the manifest records about it.

  Example:
    >>> from disentangle_tf import adversary
    >>> candidate = adversary.Candidate("seed 1", 0.3, "beta 4", load=lambda: None)
    >>> candidate.score
    0.3
  """

  name: str
  score: float
  setting: str
  load: Callable
  told: dict = dataclasses.field(default_factory=dict)


def choose_references(
  candidates: Sequence[Candidate], data: GroundTruthData, *, count: int = 1
) -> tuple[list[Reference], list[Reference]]:
  """Choose comparable models whose scores differ most.

  A candidate is considered if it has the setting of the best one, and at least as many
  active latents as the data set has factors. A latent with a mean posterior variance of
  at least 0.8 is pruned. An entangled and a disentangled model make a pair if the
  squared error of the entangled one, on original images and sampled codes, is at most
  10 % above that of the other: a pruned or badly trained model has a low score for
  other reasons. Pairs with the largest difference of scores are taken first.

  Args:
    candidates: [`Candidate`] trained on `data`.
    data: the `GroundTruthData`, with one image per point.
    count: number of pairs; 1 on dSprites and 4 on 3D Shapes in the paper.

  Returns:
    (entangled, disentangled), lists of `Reference`.

  Raises:
    UserError: if there are too few pairs.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 4.4.

  Example:
    >>> from disentangle_tf import adversary, data, losses, models, networks
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> shape = squares.observation_shape
    >>> encoder = networks.mlp_encoder(shape, latents=2)
    >>> decoder = networks.mlp_decoder(shape, latents=2)
    >>> model = models.BetaVAE(encoder, decoder, losses.MSE(), beta=0.1)
    >>> candidates = [
    ...   adversary.Candidate(name, score, "beta 0.1", load=lambda: model)
    ...   for name, score in [("seed 1", 0.2), ("seed 2", 0.9)]
    ... ]
    >>> adversary.choose_references(candidates, squares)  # untrained: pruned
    Traceback (most recent call last):
      ...
    disentangle_tf.errors.UserError: choose_references: of 0 models 0 pairs compare...
  """
  check_count("choose_references", count=count)
  fit = _fit(_comparable(candidates), data)
  pairs = _pairs(fit, count)
  for entangled, disentangled in pairs:
    _log.info("references: entangled %s, disentangled %s", entangled, disentangled)
  difference = min(pair[1].score - pair[0].score for pair in pairs)
  if difference < _LITTLE:
    _log.warning(
      "warning: the scores of the references differ by %.3f only; a difference below "
      "%s shows little of how to entangle: train more seeds",
      difference,
      _LITTLE,
    )
  entangled, disentangled = zip(*pairs, strict=True)
  return (
    [each.reference(data) for each in entangled],
    [each.reference(data) for each in disentangled],
  )


def _comparable(candidates: Sequence[Candidate]) -> list[Candidate]:
  """Candidates with the setting of the best one, best first."""
  if not candidates:
    raise UserError("choose_references: there is no trained model to choose from")
  ranked = sorted(candidates, key=lambda candidate: -candidate.score)
  return [each for each in ranked if each.setting == ranked[0].setting]


@dataclasses.dataclass(frozen=True, eq=False)
class _Fit:
  """A candidate without pruned latents, and the squared error of its images."""

  candidate: Candidate
  model: keras.Model
  error: float

  @property
  def score(self) -> float:
    return self.candidate.score

  def reference(self, data: GroundTruthData) -> Reference:
    """The candidate as a `Reference` on all of `data`."""
    name, told = self.candidate.name, self.candidate.told
    return Reference.of_model(self.model, data, name, told=told)

  def __str__(self) -> str:
    return f"{self.candidate.name} ({self.score:.3f}, squared error {self.error:.4g})"


def _fit(candidates: Sequence[Candidate], data: GroundTruthData) -> list[_Fit]:
  """Candidates without pruned latents; the others are reported."""
  images = data.observe(compared_points(data))
  found = []
  for candidate in candidates:
    model = candidate.load()
    posterior = model.encode(images)
    means, scales = posterior.mean().numpy(), posterior.stddev().numpy()
    active = int(np.sum(is_active(2 * np.log(scales))))
    wanted = min(sum(size > 1 for size in data.factors.sizes), means.shape[1])
    if active < wanted:
      _log.info(
        "skipped: %s has %d active latents of %d", candidate.name, active, wanted
      )
      continue
    error = Reference(model, means, scales).squared_error(images, np.arange(len(means)))
    found.append(_Fit(candidate, model, error))
  return found


def _pairs(fit: list[_Fit], count: int) -> list[tuple[_Fit, _Fit]]:
  """[(entangled, disentangled)], the largest differences of scores first."""
  possible = sorted(
    ((low, high) for high in fit for low in fit if low.score < high.score),
    key=lambda pair: pair[0].score - pair[1].score,
  )
  pairs, used = [], set()
  for low, high in possible:
    if low.error <= MOST_ABOVE * high.error and not {low, high} & used:
      pairs.append((low, high))
      used |= {low, high}
      if len(pairs) == count:
        return pairs
  nearest = min(
    possible, key=lambda pair: pair[0].error / pair[1].error, default=("none", "none")
  )
  raise UserError(
    f"choose_references: of {len(fit)} models {len(pairs)} pairs compare, {count} are "
    f"asked for; the nearest is {nearest[0]} with {nearest[1]}: train more seeds, or "
    "pass entangled and disentangled references to manipulate"
  )
