"""A metric with the number of points it is measured on."""

import copy
import inspect

import numpy as np


class Measurement:
  """One metric, and how many points of the codes table it sees.

  Args:
    metric: a function of `metrics`; what it asks for by name it gets: codes, factors,
      test_codes, test_factors, log_variances, standard_deviations (if known), images,
      reconstructions, space, draw, rng.
    num_points: points to fit or count on; None takes the whole set, each once.
    num_test_points: points to test on, for metrics that fit a predictor.
    sampled: take codes drawn from the posteriors instead of their means.
    prefix: goes before the names of the scores, where they would be unclear.
  """

  def __init__(
    self,
    metric,
    *,
    num_points=10_000,
    num_test_points=5_000,
    sampled=False,
    prefix="",
  ):
    self.metric = metric
    self.num_points = num_points
    self.num_test_points = num_test_points
    self.sampled = sampled
    self.prefix = prefix

  @property
  def name(self):
    """The metric's name, with the prefix unless that says the same."""
    own = self.metric.__name__
    return own if own.startswith(self.prefix.rstrip("_")) else self.prefix + own

  @property
  def needs_factors(self):
    """Whether it compares codes with ground-truth factors."""
    return bool({"factors", "space"} & set(self._parameters()))

  def missing_in(self, table):
    """What a `CodesTable` lacks for this measurement, in words; None if nothing."""
    wanted = self._parameters()
    if "reconstructions" in wanted and not table.has_reconstructions:
      return "the model has no decoder"
    if (self.sampled or "log_variances" in wanted) and not table.has_distribution:
      return "the model gives no log-variances"
    return None

  def with_points(self, num_points, num_test_points):
    """The same measurement on other numbers of points; None keeps its own."""
    changed = copy.copy(self)
    changed.num_points = self.num_points if num_points is None else num_points
    if num_test_points is not None:
      changed.num_test_points = num_test_points
    return changed

  def settings(self):
    """What a score needs to be compared: point counts and the metric's defaults."""
    wanted = self._parameters()
    own = {
      name: parameter.default
      for name, parameter in wanted.items()
      if parameter.default is not inspect.Parameter.empty
      and name not in ("rng", "num_jobs")
    }
    points = {}
    if "codes" in wanted:
      points["num_points"] = self.num_points
      points["codes"] = "sampled" if self.sampled else "mean"
    if "test_codes" in wanted:
      points["num_test_points"] = self.num_test_points
    return {**points, **own}

  def scores(self, table, *, seed):
    """{name: float} of the metric on a `CodesTable`."""
    # A stream a metric: adding one to a protocol leaves the others' numbers alone.
    rng = np.random.default_rng([seed, *self.name.encode()])
    wanted = self._parameters()
    offered = {"space": table.space, "draw": table.draw, "rng": rng}
    if "codes" in wanted:
      offered["factors"] = table.points(self.num_points, rng)
      offered["codes"] = self._codes(table, offered["factors"], rng)
    if "log_variances" in wanted:
      offered["log_variances"] = table.draw_distribution(offered["factors"])[1]
    if "standard_deviations" in wanted and table.has_distribution:
      log_variances = table.draw_distribution(offered["factors"])[1]
      offered["standard_deviations"] = np.exp(0.5 * log_variances)
    if "reconstructions" in wanted:
      pairs = table.reconstruct(offered["factors"])
      offered["images"], offered["reconstructions"] = pairs
    if "test_codes" in wanted:
      offered["test_factors"] = table.points(self.num_test_points, rng)
      offered["test_codes"] = self._codes(table, offered["test_factors"], rng)
    scores = self.metric(**{k: v for k, v in offered.items() if k in wanted})
    return {self.prefix + name: value for name, value in scores.items()}

  def _codes(self, table, factors, rng):
    if not self.sampled:
      return table.draw(factors)
    means, log_variances = table.draw_distribution(factors)
    noise = rng.standard_normal(means.shape, dtype=np.float32)
    return means + np.exp(0.5 * log_variances) * noise

  def _parameters(self):
    return inspect.signature(self.metric).parameters
