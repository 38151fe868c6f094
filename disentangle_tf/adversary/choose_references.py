"""Which trained models the adversary plays with and against."""

import dataclasses
from collections.abc import Callable

import numpy as np

from disentangle_tf.adversary.reference import (
  MOST_ABOVE,
  Reference,
  compared_points,
)
from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.active_latents import is_active

_LITTLE = 0.2  # a difference of scores below which little is expected


@dataclasses.dataclass(frozen=True)
class Candidate:
  """A trained model that may become a reference.

  Attributes:
    name: what to call it.
    score: how disentangled it is.
    setting: text; only models of one setting are compared, since less noise in the
      codes (a lower beta) would say nothing of how they are aligned.
    load: gives the Keras model.
    told: {name: value}, what a manifest is to say of it.
  """

  name: str
  score: float
  setting: str
  load: Callable
  told: dict = dataclasses.field(default_factory=dict)


def choose_references(candidates, data, *, count=1):
  """Comparable models whose scores differ most.

  Candidates share the best one's setting and have no pruned latents (mean posterior
  variance of at least 0.8, in so many that fewer than the factors are left). They are
  paired, an entangled with a disentangled one, the largest difference of scores first,
  if the entangled one reconstructs original images with a squared error, of sampled
  codes, at most 10 % above the other's: a pruned or badly trained model has a low score
  for another reason, and the adversary cannot make up for it.

  Args:
    candidates: [`Candidate`] trained on `data`.
    data: the `GroundTruthData`, with one image per point.
    count: how many pairs; 1 on dSprites and 4 on 3D Shapes in the paper.

  Returns:
    (entangled, disentangled), lists of `Reference`.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 4.4.
  """
  check_count("choose_references", count=count)
  fit = _fit(_comparable(candidates), data)
  pairs = _pairs(fit, count)
  for entangled, disentangled in pairs:
    print(f"references: entangled {entangled}, disentangled {disentangled}")
  difference = min(pair[1].score - pair[0].score for pair in pairs)
  if difference < _LITTLE:
    print(
      f"warning: their scores differ by {difference:.3f} only; with less than "
      f"{_LITTLE} there is little to learn how to entangle from: train more seeds"
    )
  return tuple(
    [each.reference(data) for each in kind] for kind in zip(*pairs, strict=True)
  )


def _comparable(candidates):
  """Those that share the best one's setting, best first."""
  if not candidates:
    raise UserError("choose_references: there is no trained model to choose from")
  ranked = sorted(candidates, key=lambda candidate: -candidate.score)
  return [each for each in ranked if each.setting == ranked[0].setting]


@dataclasses.dataclass(frozen=True, eq=False)
class _Fit:
  """A candidate without pruned latents, and the squared error of its images."""

  candidate: Candidate
  model: object
  error: float

  @property
  def score(self):
    return self.candidate.score

  def reference(self, data):
    """It as a `Reference` for all of `data`."""
    name, told = self.candidate.name, self.candidate.told
    return Reference.of_model(self.model, data, name, told=told)

  def __str__(self):
    return f"{self.candidate.name} ({self.score:.3f}, squared error {self.error:.4g})"


def _fit(candidates, data):
  """[`_Fit`] of candidates without pruned latents; says which have them."""
  images = data.observe(compared_points(data))
  found = []
  for candidate in candidates:
    model = candidate.load()
    posterior = model.encode(images)
    means, scales = posterior.mean().numpy(), posterior.stddev().numpy()
    active = int(np.sum(is_active(2 * np.log(scales))))
    wanted = min(sum(size > 1 for size in data.factors.sizes), means.shape[1])
    if active < wanted:
      print(f"passed over: {candidate.name} has {active} active latents of {wanted}")
      continue
    error = Reference(model, means, scales).squared_error(images, np.arange(len(means)))
    found.append(_Fit(candidate, model, error))
  return found


def _pairs(fit, count):
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
    "name runs with --entangled and --disentangled"
  )
