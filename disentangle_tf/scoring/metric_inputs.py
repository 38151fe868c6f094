"""What a metric asks for by name: codes, factors, images, Jacobians, within limits."""

from __future__ import annotations

import typing
from collections.abc import Callable, Collection, Mapping

import numpy as np

from disentangle_tf.errors import UserError

if typing.TYPE_CHECKING:
  from disentangle_tf.priors import Prior
  from disentangle_tf.scoring.codes_table import CodesTable
  from disentangle_tf.scoring.endless_codes import EndlessCodes
  from disentangle_tf.scoring.observations import Observations

OFFERED = {
  *("codes", "factors", "test_codes", "test_factors", "space", "codes_of", "rng"),
  *("log_variances", "standard_deviations", "images", "reconstructions"),
  *("log_likelihoods", "divergences", "prior_codes"),
  *("decoded_means", "decoded_samples", "jacobians", "may_clip"),
}
OF_POINTS = {
  *("codes", "factors", "log_variances", "standard_deviations", "images"),
  *("reconstructions", "log_likelihoods", "divergences", "prior_codes"),
  *("decoded_means", "decoded_samples", "jacobians"),
}
OF_DECODER = {"decoded_means", "decoded_samples", "jacobians"}
WHOLE_POSTERIORS = {"log_variances", "standard_deviations"}
NUM_SAMPLES = 8  # codes decoded for each image, in pairs
ALL = "all"  # points of a set, each once


class LimitError(UserError):
  """A measurement that takes more time or memory than its limits allow."""


class MetricLimits(typing.Protocol):
  """Limits of one metric's time and memory, as `foreign` has them.

  Attributes:
    metric_seconds: time for one metric, without encoding.
    codes_gib: memory of the codes, images or Jacobians that it asks for at once.
  """

  @property
  def metric_seconds(self) -> float: ...

  @property
  def codes_gib(self) -> float: ...


class KnownLikelihood(typing.Protocol):
  """A model whose likelihood is known, such as `export.GenerativeModel`."""

  def log_likelihoods(self, images: np.ndarray, codes: np.ndarray) -> np.ndarray: ...

  def divergences(
    self, means: np.ndarray, log_variances: np.ndarray, codes: np.ndarray
  ) -> np.ndarray: ...


class BoundedTable:
  """A table of codes that refuses requests for too much memory at once.

  Args:
    table: the table of codes.
    codes_gib: the most memory of one answer.
  """

  def __init__(self, table: CodesTable | EndlessCodes, codes_gib: float) -> None:
    self._table = table
    self._gib = codes_gib

  def __getattr__(self, name: str) -> typing.Any:
    return getattr(self._table, name)

  def sample(self, num_points: int | None, rng: np.random.Generator) -> Observations:
    """`Observations` of drawn images, as `CodesTable.sample` has them."""
    table = self._table
    every = table.space.num_points if table.num_images is None else table.num_images
    self._check(every if num_points is None else num_points)
    return table.sample(num_points, rng)

  def observe(self, factors: np.ndarray, rng: np.random.Generator) -> Observations:
    """`Observations` of the points `factors`."""
    self._check(len(factors))
    return self._table.observe(factors, rng)

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of codes [N, latents]."""
    self._check(len(codes), "images", self.num_pixels)
    return self._table.decode(codes)

  def jacobians(self, seen: Observations) -> np.ndarray:
    """Jacobians of the decoder [points, pixels, latents]."""
    self._check(len(seen), "Jacobians", self.num_pixels * self.num_latents)
    return self._table.jacobians(seen)

  def _check(self, count: int, what: str = "codes", numbers: int | None = None) -> None:
    numbers = numbers or self._table.num_latents
    if 4 * count * numbers > self._gib * 2**30:
      raise LimitError(
        f"it asks for {count:,} {what} of {numbers:,} numbers at a time, more than "
        f"{self._gib:g} GiB (Limits.codes_gib)"
      )


def metric_inputs(
  wanted: Collection[str],
  table: CodesTable | EndlessCodes | BoundedTable,
  rng: np.random.Generator,
  *,
  num_points: int | str,
  num_test_points: int | str,
  codes_of: Callable[[Observations], np.ndarray],
  generative_model: KnownLikelihood | None = None,
  prior: Prior | None = None,
) -> dict[str, typing.Any]:
  """Draw points and compute what a metric asks for.

  Args:
    wanted: names of the metric's parameters.
    table: the table of codes.
    rng: draws the points, and codes of posteriors.
    num_points, num_test_points: points to draw; "all" takes every image once.
    codes_of: the codes of observations: their means, or codes drawn from posteriors.
    generative_model: the likelihood and prior behind the model, if they are known.
    prior: the prior of the latents, if it is known.

  Returns:
    {name: value} of the wanted names that are available.
  """
  # The order of the draws is part of the scores.
  offered = {
    "space": table.space,
    "codes_of": lambda factors: codes_of(table.observe(factors, rng)),
    "rng": rng,
  }
  if OF_POINTS & set(wanted):
    seen = _sample(table, num_points, rng)
    offered |= {"factors": seen.factors, "codes": codes_of(seen)}
    offered |= _of_points(wanted, table, seen, rng, generative_model)
  if "prior_codes" in wanted and prior is not None:
    points, latents = offered["codes"].shape
    own_seed = rng.integers(2**31, size=2).astype(np.int32)
    offered["prior_codes"] = prior.sample(points, latents, own_seed).numpy()
  if "test_codes" in wanted:
    tested = _sample(table, num_test_points, rng)
    offered |= {"test_factors": tested.factors, "test_codes": codes_of(tested)}
  return {name: value for name, value in offered.items() if name in wanted}


def scores_of(
  metric: Callable[..., dict],
  inputs: Mapping[str, typing.Any],
  options: Mapping[str, typing.Any],
  prefix: str,
) -> dict[str, float]:
  """{name of a score: value} of a metric, given its inputs and options.

  Args:
    metric: the function.
    inputs: the result of `metric_inputs`.
    options: {argument of the metric: value}.
    prefix: put before the names of the scores.
  """
  scores = metric(**inputs, **options)
  if not isinstance(scores, dict):
    raise UserError(
      f"{metric.__name__} returns a {type(scores).__name__}: a metric must return "
      "{name of a score: value}"
    )
  return {prefix + name: value for name, value in scores.items()}


def drawn_codes(seen: Observations, rng: np.random.Generator) -> np.ndarray:
  """Codes [points, latents] drawn from the posteriors of `Observations`."""
  noise = rng.standard_normal(seen.codes.shape, dtype=np.float32)
  return seen.codes + _scales(seen) * noise


def _sample(
  table: CodesTable | EndlessCodes | BoundedTable,
  count: int | str,
  rng: np.random.Generator,
) -> Observations:
  return table.sample(None if isinstance(count, str) else count, rng)


def _of_points(
  wanted: Collection[str],
  table: CodesTable | EndlessCodes | BoundedTable,
  seen: Observations,
  rng: np.random.Generator,
  generative_model: KnownLikelihood | None,
) -> dict[str, typing.Any]:
  """What the model says of the points: posteriors, reconstructions, decoded codes."""
  found: dict[str, typing.Any] = {}
  if "log_variances" in wanted:
    found["log_variances"] = seen.log_variances
  if "standard_deviations" in wanted and table.has_distribution:
    found["standard_deviations"] = _scales(seen)
  if {"images", "reconstructions"} & set(wanted) and seen.reconstruct is not None:
    found["images"], found["reconstructions"] = seen.reconstruct()
  if OF_DECODER & set(wanted):
    found["may_clip"] = table.may_clip
  if "decoded_means" in wanted:
    found["decoded_means"] = table.decode(seen.codes)
  if "decoded_samples" in wanted:
    found["decoded_samples"] = _decoded_samples(table, seen, rng)
  if "jacobians" in wanted:
    found["jacobians"] = table.jacobians(seen)
  if "log_likelihoods" in wanted and generative_model is not None:
    codes = drawn_codes(seen, rng)
    found["log_likelihoods"] = generative_model.log_likelihoods(found["images"], codes)
    found["divergences"] = generative_model.divergences(
      seen.codes, _log_variances(seen), codes
    )
  return found


def _decoded_samples(
  table: CodesTable | EndlessCodes | BoundedTable,
  seen: Observations,
  rng: np.random.Generator,
) -> np.ndarray:
  """Images [samples, points, ...] of codes drawn from the posteriors.

  The samples are pairs that lie symmetrically about the mean, so that odd terms cancel;
  for a linear decoder the samples then average to the decoded mean.
  """
  shape = (NUM_SAMPLES // 2, *seen.codes.shape)
  noise = rng.standard_normal(shape, dtype=np.float32)
  moves = _scales(seen) * noise
  codes = np.concatenate([seen.codes + moves, seen.codes - moves])
  images = table.decode(codes.reshape(-1, codes.shape[-1]))
  return images.reshape(*codes.shape[:2], *images.shape[1:])


def _scales(seen: Observations) -> np.ndarray:
  """Standard deviations [points, latents] of the posteriors."""
  return np.exp(0.5 * _log_variances(seen))


def _log_variances(seen: Observations) -> np.ndarray:
  assert seen.log_variances is not None  # `Measurement.missing_in` has checked
  return seen.log_variances
