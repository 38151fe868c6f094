"""A metric with its options and the points it is measured on."""

import copy
import difflib
import inspect
import time

import numpy as np

from disentangle_tf.argument_checks import check_count, check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.decoder_jacobians import JACOBIAN_STEP
from disentangle_tf.latent_use import is_deterministic
from disentangle_tf.metrics.parts.directions import direction_of
from disentangle_tf.metrics.parts.time_limit import TimeLimitError, time_limit

_ALL = "all"  # points of a set, each once
_OFFERED = {
  *("codes", "factors", "test_codes", "test_factors", "space", "codes_of", "rng"),
  *("log_variances", "standard_deviations", "images", "reconstructions"),
  *("log_likelihoods", "divergences", "prior_codes"),
  *("decoded_means", "decoded_samples", "jacobians", "may_clip"),
}
_OF_POINTS = {
  *("codes", "factors", "log_variances", "standard_deviations", "images"),
  *("reconstructions", "log_likelihoods", "divergences", "prior_codes"),
  *("decoded_means", "decoded_samples", "jacobians"),
}
_OF_DECODER = {"decoded_means", "decoded_samples", "jacobians"}
_SAMPLES = 8  # decoded for each image, in pairs
_NO_DECODER = "the model has no decoder"
_NO_DECODING = "the model gives back images of images, but none of codes"
_WHOLE_POSTERIORS = {"log_variances", "standard_deviations"}


class Measurement:
  """One metric, its options, and how many points of the codes table it sees.

  Args:
    metric: a function of `metrics`; what it asks for by name it gets: codes, factors,
      test_codes, test_factors, log_variances, standard_deviations (if known), images,
      reconstructions, log_likelihoods and divergences (if the likelihood is known),
      prior_codes (as many, drawn from the prior), decoded_means, decoded_samples
      [samples, points, ...] (of codes drawn from the posteriors) and jacobians [points,
      pixels, latents] of the decoder at the means, may_clip (whether the decoder may
      have clipped these), space, codes_of, rng.
    options: {argument of the metric: value}, where its defaults will not do.
    num_points: points to fit or count on; "all" takes the whole set, each image once.
    num_test_points: points to test on, for metrics that fit a predictor.
    sampled: take codes drawn from the posteriors instead of their means.
    prefix: goes before the names of the scores, where they would be unclear.
  """

  def __init__(
    self,
    metric,
    *,
    options=None,
    num_points=10_000,
    num_test_points=5_000,
    sampled=False,
    prefix="",
  ):
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
  def name(self):
    """The metric's name, with the prefix unless that says the same.

    A predictor of its own choice stands at the end, as in the names of its scores.
    """
    own = self.metric.__name__
    if "predictor" in self.options:
      own += f"_{self.options['predictor']}"
    return own if own.startswith(self.prefix.rstrip("_")) else self.prefix + own

  @property
  def needs_factors(self):
    """Whether it compares codes with ground-truth factors."""
    return bool({"factors", "space"} & set(self._parameters()))

  @property
  def asks_for_likelihood(self):
    """Whether it says more of a model whose likelihood is known."""
    return "log_likelihoods" in self._parameters()

  @property
  def asks_decoder(self):
    """Whether it asks what codes are decoded to."""
    return bool(_OF_DECODER & set(self._parameters()))

  @property
  def _sees_points(self):
    """Whether it asks for drawn points, or what a model made of them."""
    return bool(_OF_POINTS & set(self._parameters()))

  def missing_in(self, table, *, prior=None):
    """What is lacking for this measurement, in words; None if nothing.

    Args:
      table: the `CodesTable`.
      prior: the model's `priors.Prior`, if that is known.
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

  def partly_missing_in(self, table):
    """What it could say more about, in words; None if nothing is missing."""
    wanted = self._parameters()
    lacking = "reconstructions" in wanted and not table.has_reconstructions
    return _NO_DECODER if lacking else None

  def with_points(self, num_points, num_test_points):
    """The same measurement on other numbers of points; None keeps its own."""
    return self._changed(
      num_points=self.num_points if num_points is None else num_points,
      num_test_points=(
        self.num_test_points if num_test_points is None else num_test_points
      ),
    )

  def with_metric(self, metric, options):
    """The same measurement of another `metric`, with `options` below its own."""
    return self._changed(metric=metric, options={**options, **self.options})

  def with_options(self, options):
    """The same measurement with `options` of the metric in place of its own."""
    return self._changed(options={**self.options, **options})

  def with_sampled_codes(self):
    """The same measurement of codes drawn from the posteriors.

    Nothing changes for a metric that takes the posteriors themselves.
    """
    whole = _WHOLE_POSTERIORS & set(self._parameters())
    return self if whole else self._changed(sampled=True)

  def same_as(self, other):
    """Whether it measures what the other one does, under whatever name."""
    return self.metric is other.metric and self.settings() == other.settings()

  def settings(self, *, generative_model=None, may_clip=False):
    """What a score needs to be compared: point counts and the metric's options.

    Args:
      generative_model: as of `scores`.
      may_clip: whether the model may have clipped what it decodes.
    """
    wanted = self._parameters()
    own = {
      name: self.options.get(name, parameter.default)
      for name, parameter in self._options().items()
      if name != "num_jobs"
    }
    points = {}
    if self._sees_points:
      points["num_points"] = self.num_points
    if {"codes", "codes_of"} & set(wanted):
      points["codes"] = "sampled" if self.sampled else "mean"
    if self.asks_for_likelihood and generative_model is not None:
      points["log_likelihoods"] = "at one sampled code per image"
    if self.asks_decoder:
      points["decoded"] = "images" if may_clip else "means, not clipped"
    if "decoded_samples" in wanted:
      points["decoded_samples"] = _SAMPLES
    if "jacobians" in wanted:
      points["jacobian_step"] = JACOBIAN_STEP
    if "test_codes" in wanted:
      points["num_test_points"] = self.num_test_points
    return {**points, **own}

  def scores(self, table, *, seed, generative_model=None, prior=None, limits=None):
    """{name: float} of the metric.

    Args:
      table: the `CodesTable`.
      seed: of the points drawn and of the metric's own randomness.
      generative_model: the `export.GenerativeModel` behind it, if that is known.
      prior: as of `missing_in`.
      limits: `foreign.confine.limits.Limits` of its time and memory; none by default.

    Raises:
      LimitError: if one is reached.
    """
    if limits is None:
      return self._scores(table, seed, generative_model, prior)
    bounded = _Bounded(table, limits.codes_gib)
    clock = lambda: time.perf_counter() - table.seconds  # noqa: E731
    try:
      with time_limit(limits.metric_seconds, clock=clock):
        return self._scores(bounded, seed, generative_model, prior)
    except TimeLimitError as error:
      raise LimitError(
        f"it takes more than {limits.metric_seconds:g} s (--limit_metric_seconds)"
      ) from error

  def directions(self, scores):
    """{name: "higher", "lower" or "neither" is better} of those that the metric states.

    Args:
      scores: names, as `scores` gives them.
    """
    stated = {
      name: direction_of(self.metric, name.removeprefix(self.prefix)) for name in scores
    }
    return {name: direction for name, direction in stated.items() if direction}

  def _scores(self, table, seed, generative_model, prior):
    # A stream for each metric: adding one to a protocol leaves the others' numbers.
    rng = np.random.default_rng([seed, *self.name.encode()])
    wanted = self._parameters()
    offered = {
      "space": table.space,
      "codes_of": lambda factors: self._codes(table.observe(factors, rng), rng),
      "rng": rng,
    }
    if self._sees_points:
      seen = self._sample(table, self.num_points, rng)
      offered |= {"factors": seen.factors, "codes": self._codes(seen, rng)}
    if "log_variances" in wanted:
      offered["log_variances"] = seen.log_variances
    if "standard_deviations" in wanted and table.has_distribution:
      offered["standard_deviations"] = np.exp(0.5 * seen.log_variances)
    if {"images", "reconstructions"} & set(wanted) and table.has_reconstructions:
      offered["images"], offered["reconstructions"] = seen.reconstruct()
    if self.asks_decoder:
      offered |= self._decoded(table, seen, rng)
    if self.asks_for_likelihood and generative_model is not None:
      nats = _nats(generative_model, seen, offered["images"], rng)
      offered["log_likelihoods"], offered["divergences"] = nats
    if "prior_codes" in wanted:
      shape, own_seed = offered["codes"].shape, rng.integers(2**31, size=2)
      offered["prior_codes"] = prior.sample(*shape, own_seed.astype(np.int32)).numpy()
    if "test_codes" in wanted:
      tested = self._sample(table, self.num_test_points, rng)
      offered["test_factors"] = tested.factors
      offered["test_codes"] = self._codes(tested, rng)
    given = {name: value for name, value in offered.items() if name in wanted}
    scores = self.metric(**given, **self.options)
    if not isinstance(scores, dict):
      raise UserError(
        f"{self.metric.__name__} gives a {type(scores).__name__}, not scores by name, "
        "so it cannot be measured"
      )
    return {self.prefix + name: value for name, value in scores.items()}

  def _sample(self, table, count, rng):
    return table.sample(None if count == _ALL else count, rng)

  def _codes(self, seen, rng):
    if not self.sampled:
      return seen.codes
    if seen.log_variances is None:
      raise UserError(f"{self.name} cannot sample: there are codes alone, no variances")
    return _drawn(seen, rng)

  def _decoded(self, table, seen, rng):
    """What the metric asks for of the decoder."""
    wanted, decoded = self._parameters(), {"may_clip": table.may_clip}
    if "decoded_means" in wanted:
      decoded["decoded_means"] = table.decode(seen.codes)
    if "decoded_samples" in wanted:
      decoded["decoded_samples"] = _decoded_samples(table, seen, rng)
    if "jacobians" in wanted:
      decoded["jacobians"] = table.jacobians(seen)
    return decoded

  def _changed(self, **attributes):
    changed = copy.copy(self)
    vars(changed).update(attributes)
    changed._check()
    return changed

  def _check(self):
    if not callable(self.metric):
      raise UserError(
        f"Measurement.metric is {self.metric!r}: it must be a function such as "
        "metrics.mig, without parentheses"
      )
    for name in ("num_points", "num_test_points"):
      count = getattr(self, name)
      try:
        check_count("Measurement", **({} if count == _ALL else {name: count}))
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

  def _options(self):
    """The metric's parameters that are a choice."""
    return {
      name: parameter
      for name, parameter in self._parameters().items()
      if name not in _OFFERED and parameter.kind is not parameter.VAR_KEYWORD
    }

  def _parameters(self):
    return inspect.signature(self.metric).parameters


def _is_deterministic(table):
  seen = table.sample(1, np.random.default_rng(0))
  return is_deterministic(seen.log_variances)


class LimitError(UserError):
  """A measurement that takes more time or memory than it may."""


class _Bounded:
  """A table of codes that gives only so many at a time."""

  def __init__(self, table, codes_gib):
    self._table = table
    self._gib = codes_gib

  def __getattr__(self, name):
    return getattr(self._table, name)

  def sample(self, num_points, rng):
    table = self._table
    every = table.space.num_points if table.num_images is None else table.num_images
    self._check(every if num_points is None else num_points)
    return table.sample(num_points, rng)

  def observe(self, factors, rng):
    self._check(len(factors))
    return self._table.observe(factors, rng)

  def decode(self, codes):
    self._check(len(codes), "images", self.num_pixels)
    return self._table.decode(codes)

  def jacobians(self, seen):
    self._check(len(seen), "Jacobians", self.num_pixels * self.num_latents)
    return self._table.jacobians(seen)

  def _check(self, count, what="codes", numbers=None):
    numbers = numbers or self.num_latents
    if 4 * count * numbers > self._gib * 2**30:
      raise LimitError(
        f"it asks for {count:,} {what} of {numbers:,} numbers at a time, more than "
        f"{self._gib:g} GiB (--limit_codes_gib)"
      )


def check_measurements(measurements, whose="evaluate"):
  """Raises a `UserError` unless it is a list of `Measurement`s, each name of one alone.

  Args:
    whose: whose argument they are, for the message.
  """
  listed = isinstance(measurements, list | tuple) and measurements
  if not listed or not all(isinstance(m, Measurement) for m in measurements):
    raise UserError(
      f"{whose}.measurements is {measurements!r}: it must be a list of "
      "@evaluation.Measurement(), see docs/metrics.md"
    )
  by_name = {}
  for measurement in measurements:
    first = by_name.setdefault(measurement.name, measurement)
    if not measurement.same_as(first):  # settings would be recorded under one name
      raise UserError(
        f"two measurements are called {measurement.name}: set the prefix of one "
        "evaluation.Measurement"
      )


def check_factors(measurements, data):
  """Raises a `UserError` if `data` has no factors and one of them asks for those."""
  for measurement in measurements:
    if measurement.needs_factors and data is not None and not data.has_factors:
      raise UserError(
        f"{data.name} has no ground-truth factors, so {measurement.name} cannot be "
        "measured on it: name another data set, or other metrics"
      )


def _drawn(seen, rng):
  """Codes drawn from the posteriors of the `Observations`."""
  noise = rng.standard_normal(seen.codes.shape, dtype=np.float32)
  return seen.codes + np.exp(0.5 * seen.log_variances) * noise


def _decoded_samples(table, seen, rng):
  """Images [samples, points, ...] of codes drawn from the posteriors.

  In pairs on either side of the mean, so that whatever is odd about it averages to 0,
  as all of it does for a linear decoder.
  """
  shape = (_SAMPLES // 2, *seen.codes.shape)
  noise = rng.standard_normal(shape, dtype=np.float32)
  moves = np.exp(0.5 * seen.log_variances) * noise
  codes = np.concatenate([seen.codes + moves, seen.codes - moves])
  images = table.decode(codes.reshape(-1, codes.shape[-1]))
  return images.reshape(*codes.shape[:2], *images.shape[1:])


def _nats(model, seen, images, rng):
  """(log p(x|z), KL) of each image, at a code drawn from its posterior."""
  codes = _drawn(seen, rng)
  return (
    model.log_likelihoods(images, codes),
    model.divergences(seen.codes, seen.log_variances, codes),
  )
