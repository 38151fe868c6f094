"""Choice of the trained models that the adversary compares."""

from __future__ import annotations

import dataclasses
import logging
import typing
from collections.abc import Callable, Sequence

import numpy as np

from disentangle_tf.adversary.reference import (
  MOST_ABOVE,
  Reference,
  compared_points,
)
from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.active_latents import is_active

if typing.TYPE_CHECKING:
  import keras

  from disentangle_tf.data import GroundTruthData


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
