"""A metric with the number of points it is measured on."""

import inspect

import numpy as np


class Measurement:
  """One metric, and how many points of the codes table it sees.

  Args:
    metric: a function of `metrics`; what it asks for by name (codes, factors,
      test_codes, test_factors, rng) it gets.
    num_points: points to fit or count on; None takes the whole set, each once.
    num_test_points: points to test on, for metrics that fit a predictor.
  """

  def __init__(self, metric, *, num_points=10_000, num_test_points=5_000):
    self.metric = metric
    self.num_points = num_points
    self.num_test_points = num_test_points

  @property
  def name(self):
    """The metric's name."""
    return self.metric.__name__

  @property
  def needs_factors(self):
    """Whether it compares codes with ground-truth factors."""
    return "factors" in self._parameters()

  def settings(self):
    """What a score needs to be compared: point counts and the metric's defaults."""
    own = {
      name: parameter.default
      for name, parameter in self._parameters().items()
      if parameter.default is not inspect.Parameter.empty and name != "rng"
    }
    points = {"num_points": self.num_points}
    if "test_codes" in self._parameters():
      points["num_test_points"] = self.num_test_points
    return {**points, **own}

  def scores(self, table, *, seed):
    """{name: float} of the metric on a `CodesTable`."""
    # A stream a metric: adding one to a protocol leaves the others' numbers alone.
    rng = np.random.default_rng([seed, *self.name.encode()])
    codes, factors = table.sample(self.num_points, rng)
    offered = {"codes": codes, "factors": factors, "rng": rng}
    if "test_codes" in self._parameters():
      test_codes, test_factors = table.sample(self.num_test_points, rng)
      offered |= {"test_codes": test_codes, "test_factors": test_factors}
    return self.metric(**{k: v for k, v in offered.items() if k in self._parameters()})

  def _parameters(self):
    return inspect.signature(self.metric).parameters
