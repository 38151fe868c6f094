"""A metric with its options and the points it is measured on."""

from __future__ import annotations

import copy
import difflib
import inspect
import time
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from disentangle_tf.arguments import check_count, check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.latent_use import is_deterministic
from disentangle_tf.metrics.parts.contract import (
  TimeLimitError,
  direction_of,
  time_limit,
)
from disentangle_tf.scoring.metric_inputs import (
  ALL,
  NUM_SAMPLES,
  OF_DECODER,
  OF_POINTS,
  OFFERED,
  WHOLE_POSTERIORS,
  BoundedTable,
  LimitError,
  drawn_codes,
  metric_inputs,
  scores_of,
)
from disentangle_tf.scoring.observations import JACOBIAN_STEP

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.priors import Prior
  from disentangle_tf.scoring.codes_table import CodesTable
  from disentangle_tf.scoring.endless_codes import EndlessCodes
  from disentangle_tf.scoring.metric_inputs import KnownLikelihood, MetricLimits
  from disentangle_tf.scoring.observations import Observations

_NO_DECODER = "the model has no decoder"
_NO_DECODING = "the model reconstructs images, but does not decode codes"


class Measurement:
  """One metric, its options, and how many points it is measured on.

  A metric receives what its parameters name: `codes`, `factors`, `test_codes` and
  `test_factors`; `log_variances`; `standard_deviations`, if they are known; `images`
  and `reconstructions`, if there is a decoder; `log_likelihoods` and `divergences`, if
  the likelihood is known; `prior_codes`, as many codes drawn from the prior;
  `decoded_means`; `decoded_samples` [samples, points, ...], images of codes drawn from
  the posteriors; `jacobians` [points, pixels, latents] of the decoder at the means;
  `may_clip`, whether the decoder may have clipped its images; `space`; `codes_of`, a
  function of factors; `rng`.

  Args:
    metric: a function of `metrics`, or one of your own that returns {name: float}.
    options: {argument of the metric: value}, in place of its defaults.
    num_points: points to fit or count on; "all" takes every image of the set once.
    num_test_points: points to test on, for metrics that fit a predictor.
    sampled: take codes drawn from the posteriors instead of their means.
    prefix: put before the names of the scores, where these would be ambiguous.

  Raises:
    UserError: for an option that the metric does not have, or nonsense values.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> from disentangle_tf.data import FactorSpace
    >>> from disentangle_tf.scoring import CodesTable, Measurement
    >>> space = FactorSpace(("x", "y"), (4, 5))
    >>> codes = space.to_factors(np.arange(20)).astype(np.float32)
    >>> measurement = Measurement(metrics.mig, num_points="all")
    >>> measurement.name
    'mig'
    >>> scores = measurement.scores(CodesTable(codes, space), seed=0)
    >>> round(scores["mig"], 3)
    1.0
  """

  def __init__(
    self,
    metric: Callable[..., dict],
    *,
    options: Mapping[str, typing.Any] | None = None,
    num_points: int | str = 10_000,
    num_test_points: int | str = 5_000,
    sampled: bool = False,
    prefix: str = "",
  ) -> None:
    self.metric = metric
    if not isinstance(options, dict | None):
      raise UserError(f"Measurement.options is {options!r}: it must be {{name: value}}")
    self.options = dict(options or {})
    self.num_points = num_points
    self.num_test_points = num_test_points
    self.sampled = sampled
    self.prefix = prefix
    self._check()

  @property
  def name(self) -> str:
    """The metric's name, after the prefix unless it begins with that.

    A predictor that is set as an option is appended, as in the names of the scores.
    """
    own = self.metric.__name__
    if "predictor" in self.options:
      own += f"_{self.options['predictor']}"
    return own if own.startswith(self.prefix.rstrip("_")) else self.prefix + own

  @property
  def needs_factors(self) -> bool:
    """Whether it compares codes with ground-truth factors."""
    return bool({"factors", "space"} & set(self._parameters()))

  @property
  def asks_for_likelihood(self) -> bool:
    """Whether it gives more scores for a model whose likelihood is known."""
    return "log_likelihoods" in self._parameters()

  @property
  def asks_decoder(self) -> bool:
    """Whether it needs decoded codes."""
    return bool(OF_DECODER & set(self._parameters()))

  def missing_in(
    self, table: CodesTable | EndlessCodes, *, prior: Prior | None = None
  ) -> str | None:
    """Say in words what this measurement lacks; None if nothing.

    Args:
      table: the table of codes.
      prior: the model's `priors.Prior`, if it is known.
    """
    wanted = self._parameters()
    if "prior_codes" in wanted and prior is None:
      return "the model does not say what its prior is"
    if self.asks_decoder and not table.can_decode:
      return _NO_DECODING if table.has_reconstructions else _NO_DECODER
    posteriors = {"log_variances", "decoded_samples"} & set(wanted)
    if (self.sampled or posteriors) and not table.has_distribution:
      return "the model gives no log-variances"
    if self.partly_missing_in(table) and _is_deterministic(table):
      return _NO_DECODER
    return None

  def partly_missing_in(self, table: CodesTable | EndlessCodes) -> str | None:
    """Say in words why some scores will be missing; None if none will be."""
    wanted = self._parameters()
    lacking = "reconstructions" in wanted and not table.has_reconstructions
    return _NO_DECODER if lacking else None

  def with_points(
    self, num_points: int | str | None, num_test_points: int | str | None
  ) -> Measurement:
    """The same measurement on other numbers of points; None keeps its own."""
    return self._changed(
      num_points=self.num_points if num_points is None else num_points,
      num_test_points=(
        self.num_test_points if num_test_points is None else num_test_points
      ),
    )

  def with_metric(
    self, metric: Callable[..., dict], options: Mapping[str, typing.Any]
  ) -> Measurement:
    """The same measurement of another `metric`; its own options override `options`."""
    return self._changed(metric=metric, options={**options, **self.options})

  def with_options(self, options: Mapping[str, typing.Any]) -> Measurement:
    """The same measurement with `options`, which override its own."""
    return self._changed(options={**self.options, **options})

  def with_sampled_codes(self) -> Measurement:
    """The same measurement of codes drawn from the posteriors.

    Nothing changes for a metric that takes the posteriors themselves.
    """
    whole = WHOLE_POSTERIORS & set(self._parameters())
    return self if whole else self._changed(sampled=True)

  def same_as(self, other: Measurement) -> bool:
    """Whether both measure the same; their names may differ."""
    return self.metric is other.metric and self.settings() == other.settings()

  def settings(
    self,
    *,
    generative_model: KnownLikelihood | None = None,
    may_clip: bool = False,
  ) -> dict[str, typing.Any]:
    """What must be equal for two scores to be compared: points and options.

    Args:
      generative_model: as for `scores`.
      may_clip: whether the model may have clipped the images that it decodes.
    """
    wanted = self._parameters()
    own = {
      name: self.options.get(name, parameter.default)
      for name, parameter in self._options().items()
      if name != "num_jobs"
    }
    points = {}
    if OF_POINTS & set(wanted):
      points["num_points"] = self.num_points
    if {"codes", "codes_of"} & set(wanted):
      points["codes"] = "sampled" if self.sampled else "mean"
    if self.asks_for_likelihood and generative_model is not None:
      points["log_likelihoods"] = "at one sampled code per image"
    if self.asks_decoder:
      points["decoded"] = "images" if may_clip else "means, not clipped"
    if "decoded_samples" in wanted:
      points["decoded_samples"] = NUM_SAMPLES
    if "jacobians" in wanted:
      points["jacobian_step"] = JACOBIAN_STEP
    if "test_codes" in wanted:
      points["num_test_points"] = self.num_test_points
    return {**points, **own}

  def scores(
    self,
    table: CodesTable | EndlessCodes,
    *,
    seed: int,
    generative_model: KnownLikelihood | None = None,
    prior: Prior | None = None,
    limits: MetricLimits | None = None,
  ) -> dict[str, float]:
    """Measure a model: {name of a score: value}.

    Args:
      table: the table of codes.
      seed: draws the points, and the metric's own random numbers.
      generative_model: the model's `export.GenerativeModel`, if it is known.
      prior: the model's `priors.Prior`, if it is known.
      limits: bounds of time and memory, such as `foreign.Limits`; none by default.

    Raises:
      LimitError: if the metric exceeds a limit.
    """
    if limits is None:
      return self._scores(table, seed, generative_model, prior)
    bounded = BoundedTable(table, limits.codes_gib)
    clock = lambda: time.perf_counter() - table.seconds  # noqa: E731
    try:
      with time_limit(limits.metric_seconds, clock=clock):
        return self._scores(bounded, seed, generative_model, prior)
    except TimeLimitError as error:
      raise LimitError(
        f"it takes more than {limits.metric_seconds:g} s (Limits.metric_seconds)"
      ) from error

  def directions(self, scores: Iterable[str]) -> dict[str, str]:
    """{name of a score: "higher", "lower" or "neither"}: which value is better.

    Args:
      scores: names, as `scores` returns them; those of no stated direction are omitted.
    """
    stated = {
      name: direction_of(self.metric, name.removeprefix(self.prefix)) for name in scores
    }
    return {name: direction for name, direction in stated.items() if direction}

  def inputs(
    self,
    table: CodesTable | EndlessCodes | BoundedTable,
    *,
    seed: int,
    generative_model: KnownLikelihood | None = None,
    prior: Prior | None = None,
  ) -> dict[str, typing.Any]:
    """{parameter: value} that the metric receives; the arguments are as for `scores`.

    Some measurements need arrays and a random generator only, so that another process
    can compute their scores, see `scores_of`.
    """
    # A stream for each metric: adding one to a protocol leaves the others' numbers.
    rng = np.random.default_rng([seed, *self.name.encode()])
    return metric_inputs(
      self._parameters(),
      table,
      rng,
      num_points=self.num_points,
      num_test_points=self.num_test_points,
      codes_of=lambda seen: self._codes(seen, rng),
      generative_model=generative_model,
      prior=prior,
    )

  def _scores(
    self,
    table: CodesTable | EndlessCodes | BoundedTable,
    seed: int,
    generative_model: KnownLikelihood | None,
    prior: Prior | None,
  ) -> dict[str, float]:
    given = self.inputs(
      table, seed=seed, generative_model=generative_model, prior=prior
    )
    return scores_of(self.metric, given, self.options, self.prefix)

  def _codes(self, seen: Observations, rng: np.random.Generator) -> np.ndarray:
    if not self.sampled:
      return seen.codes
    if seen.log_variances is None:
      raise UserError(f"{self.name} cannot sample codes: there are no log-variances")
    return drawn_codes(seen, rng)

  def _changed(self, **attributes: typing.Any) -> Measurement:
    changed = copy.copy(self)
    vars(changed).update(attributes)
    changed._check()
    return changed

  def _check(self) -> None:
    if not callable(self.metric):
      raise UserError(
        f"Measurement.metric is {self.metric!r}: it must be a function such as "
        "metrics.mig, without parentheses"
      )
    for name in ("num_points", "num_test_points"):
      count = getattr(self, name)
      try:
        check_count("Measurement", **({} if count == ALL else {name: count}))
      except UserError as error:
        raise UserError(f'{error}, or "all"') from None
    check_truth("Measurement", sampled=self.sampled)
    if not isinstance(self.prefix, str):
      raise UserError(f"Measurement.prefix is {self.prefix!r}: it must be text")
    known = self._options()
    for name, parameter in known.items():
      given = name in self.options or parameter.default is not parameter.empty
      if not given and inspect.unwrap(self.metric) is self.metric:  # gin may know it
        raise UserError(
          f"{self.metric.__name__} asks for {name}, which a measurement does not have"
        )
    for name in self.options:
      if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UserError(f"{self.metric.__name__} has no option {name!r}{hint}")

  def _options(self) -> dict[str, inspect.Parameter]:
    """The metric's parameters that are settings, not inputs."""
    return {
      name: parameter
      for name, parameter in self._parameters().items()
      if name not in OFFERED and parameter.kind is not parameter.VAR_KEYWORD
    }

  def _parameters(self) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(self.metric).parameters


def _is_deterministic(table: CodesTable | EndlessCodes) -> bool:
  seen = table.sample(1, np.random.default_rng(0))
  return seen.log_variances is not None and is_deterministic(seen.log_variances)


def check_measurements(measurements: typing.Any, whose: str = "evaluate") -> None:
  """Raise a `UserError` unless these are `Measurement`s with distinct names.

  Args:
    measurements: the argument of a user.
    whose: the function or class whose argument it is, for the message.

  Example:
    >>> from disentangle_tf import metrics, scoring
    >>> few, many = [{"num_bins": count} for count in (10, 20)]
    >>> scoring.check_measurements(
    ...   [
    ...     scoring.Measurement(metrics.mig, options=few),
    ...     scoring.Measurement(metrics.mig, options=many),
    ...   ]
    ... )
    Traceback (most recent call last):
    ...
    disentangle_tf.errors.UserError: two measurements are called mig: set the prefix...
  """
  listed = isinstance(measurements, list | tuple) and measurements
  if not listed or not all(isinstance(m, Measurement) for m in measurements):
    raise UserError(
      f"{whose}.measurements is {measurements!r}: it must be a list of "
      "scoring.Measurement, see docs/metrics.md"
    )
  by_name = {}
  for measurement in measurements:
    first = by_name.setdefault(measurement.name, measurement)
    if not measurement.same_as(first):  # settings would be recorded under one name
      raise UserError(
        f"two measurements are called {measurement.name}: set the prefix of one "
        "scoring.Measurement"
      )


def check_factors(
  measurements: Sequence[Measurement], data: GroundTruthData | None
) -> None:
  """Raise a `UserError` if a measurement needs factors and `data` has none."""
  for measurement in measurements:
    if measurement.needs_factors and data is not None and not data.has_factors:
      raise UserError(
        f"{data.name} has no ground-truth factors, so {measurement.name} cannot be "
        "measured on it: name another data set, or other metrics"
      )
