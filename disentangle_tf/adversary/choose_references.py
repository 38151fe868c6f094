"""Which trained models the adversary plays with and against."""

import dataclasses
from collections.abc import Callable

import numpy as np

from disentangle_tf.adversary.reference import MOST_ABOVE, Reference
from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.active_latents import is_active

_LITTLE = 0.2  # a difference of scores below which little is expected
_NUM_IMAGES = 1024  # that candidates are compared on
_NUM_NAMED = 3  # candidates in an error


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

  def __str__(self):
    return f"{self.name} ({self.score:.3f})"


def choose_references(candidates, data, *, count=1):
  """The most and the least disentangled of comparable models.

  Models are compared if they share the best one's setting, if they have no pruned
  latents (mean posterior variance of at least 0.8, in so many that fewer than the
  factors are left), and if they reconstruct the original images with a loss, of sampled
  codes, at most 10 % above the disentangled ones': a pruned or badly trained model has a
  low score for another reason. Candidates are passed over until enough of them fit.

  Args:
    candidates: [`Candidate`] trained on `data`.
    data: the `GroundTruthData`, with one image per point.
    count: how many of each kind; 1 on dSprites and 4 on 3D Shapes in the paper.

  Returns:
    (entangled, disentangled), lists of `Reference`.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 4.4.
  """
  check_count("choose_references", count=count)
  ranked = _comparable(candidates)
  if len(ranked) < 2 * count:
    raise UserError(
      f"choose_references: {len(ranked)} models with {ranked[0].setting or 'one setting'}"
      f", {2 * count} are needed: train more seeds"
    )
  search = _Search(data)
  disentangled = search.take(ranked, count, kind="disentangled")
  most = MOST_ABOVE * np.mean([search.loss_of(each) for each in disentangled])
  left = [each for each in reversed(ranked) if each not in disentangled]
  entangled = search.take(left, count, kind="entangled", most=most)
  for kind, chosen in (("entangled", entangled), ("disentangled", disentangled)):
    print(f"{kind}: {', '.join(map(str, chosen))}")
  difference = disentangled[-1].score - entangled[-1].score
  if difference < _LITTLE:
    print(
      f"warning: the scores differ by {difference:.3f} only; with less than {_LITTLE} "
      "there is little to learn how to entangle from: train more seeds"
    )
  return search.references(entangled), search.references(disentangled)


def _comparable(candidates):
  """Those that share the best one's setting, best first."""
  if not candidates:
    raise UserError("choose_references: there is no trained model to choose from")
  ranked = sorted(candidates, key=lambda candidate: -candidate.score)
  return [each for each in ranked if each.setting == ranked[0].setting]


class _Search:
  """Looks at candidates, each once."""

  def __init__(self, data):
    self._data = data
    factors = data.factors.draw(_NUM_IMAGES, np.random.default_rng(0))
    self._images = data.observe(factors)
    self._num_factors = sum(size > 1 for size in data.factors.sizes)
    self._models, self._losses = {}, {}

  def loss_of(self, candidate):
    """The reconstruction loss of the original images, at one sampled code each."""
    return self._losses[candidate.name]

  def take(self, candidates, count, *, kind, most=np.inf):
    """The first `count` that fit; says which ones do not, and why."""
    found, unfit = [], []
    for candidate in candidates:
      reason = self._reason_against(candidate, most)
      if reason is None:
        found.append(candidate)
        if len(found) == count:
          return found
      else:
        unfit.append(f"{candidate} {reason}")
        print(f"passed over: {unfit[-1]}")
    raise UserError(
      f"choose_references: {len(found)} of {count} {kind} models fit; "
      f"{'; '.join(unfit[:_NUM_NAMED])}: train more seeds, or name runs with --entangled "
      "and --disentangled"
    )

  def references(self, chosen):
    return [
      Reference.of_model(
        self._models[each.name], self._data, each.name, told=each.told
      )
      for each in chosen
    ]

  def _reason_against(self, candidate, most):
    """Why a candidate does not fit, in words; None if it does."""
    model = self._models[candidate.name] = candidate.load()
    posterior = model.encode(self._images)
    active = int(np.sum(is_active(2 * np.log(posterior.stddev().numpy()))))
    wanted = min(self._num_factors, posterior.mean().shape[-1])
    if active < wanted:
      return f"has {active} active latents, {wanted} are needed"
    means, scales = posterior.mean().numpy(), posterior.stddev().numpy()
    noise = np.random.default_rng(0).standard_normal((1, *means.shape), np.float32)
    reference = Reference(model, means, scales)
    loss = float(reference.reconstruction_loss(self._images, means + scales * noise))
    self._losses[candidate.name] = loss
    if loss > most:
      return f"reconstructs with a loss of {loss:.4g}, {most:.4g} is the most"
    return None
