"""Directions: their declaration, and that every score of every metric has one."""

import fnmatch
import inspect
import threading

import numpy as np
import pytest
from metric_checks import draw_factors

from disentangle_tf import metrics
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import (
  HIGHER,
  LOWER,
  NEITHER,
  TimeLimitError,
  check_time,
  direction_of,
  higher_is_better,
  lower_is_better,
  neither_is_better,
  time_limit,
)

# Public functions that are no metrics: they return arrays or declare directions.
NOT_METRICS = {
  "correlation_matrix",
  "dci_fit",
  "dci_importance",
  "downstream_accuracies",
  "higher_is_better",
  "irs_matrix",
  "lower_is_better",
  "mutual_information_matrix",
  "neither_is_better",
  "sap_matrix",
  "unfairness_matrix",
}
METRICS = sorted(set(metrics.__all__) - NOT_METRICS)
# Options that change the names of scores.
OPTIONS = {
  "dci": [{"predictor": p} for p in ("lightgbm", "svm", "random_forest", "lasso")],
  "downstream_task": [
    {"sizes": (10, 100), "predictor": "gradient_boosting"},
    {"sizes": (100, 10_000), "predictor": "lightgbm"},
  ],
  "fairness": [{"predictor": p} for p in ("lightgbm", "logistic")],
  "strong_generalisation": [{"predictor": p} for p in ("lightgbm", "logistic")],
}
SMALL = {
  "batch_size": 4,
  "depths": (1, 2),
  "num_eval": 10,
  "num_experiments": 1,
  "num_jobs": 1,
  "num_test": 20,
  "num_test_points_per_class": 5,
  "num_train": 40,
  "num_traversals": 3,
  "sizes": (10, 30),
}


def _given(num_points):
  """Every input that a metric may request by name."""
  factors = draw_factors(num_points, sizes=(2, 3))
  codes = factors + 0.1 * np.random.default_rng(0).normal(size=factors.shape)
  numbers = codes[:, 0]
  return {
    "codes": codes,
    "factors": factors,
    "test_codes": codes[:50],
    "test_factors": factors[:50],
    "space": FactorSpace("ab", (2, 3)),
    "codes_of": lambda points: points * 1.0,
    "codes_of_models": [codes, codes[:, ::-1]],
    "log_variances": 0.1 * codes - 2,
    "images": codes,
    "reconstructions": codes,
    "decoded_means": codes,
    "may_clip": True,
    "decoded_samples": np.stack([codes, codes]),
    "log_likelihoods": numbers,
    "divergences": numbers,
    "factor_distances": numbers,
    "perceived_distances": numbers,
    "latent_distances": numbers,
    "standard_deviations": 1 + 0 * codes,
    "prior_codes": codes,
    "jacobians": np.random.default_rng(0).normal(size=(num_points, 5, 2)),
  }


def _score_names(name):
  """Names of all scores that a metric returns, with its defaults and its `OPTIONS`."""
  metric = getattr(metrics, name)
  names = []
  for options in ({}, *OPTIONS.get(name, [])):
    given = _given(10_000 if 10_000 in options.get("sizes", ()) else 60 * 2)
    given = {**given, **SMALL, **options}
    wanted = inspect.signature(metric).parameters
    names += metric(**{key: value for key, value in given.items() if key in wanted})
  return names


@pytest.mark.parametrize("name", METRICS)
def test_every_score_has_a_direction_and_every_direction_a_score(name):
  metric, names = getattr(metrics, name), _score_names(name)
  assert names
  for score in names:
    assert direction_of(metric, score) in (HIGHER, LOWER, NEITHER), score
    stated = [key for key in metric.directions if fnmatch.fnmatchcase(score, key)]
    assert len(stated) == 1, (score, stated)
  for stated in metric.directions:
    assert fnmatch.filter(names, stated), f"no score is called {stated}"


def test_no_matrix_states_a_direction():
  assert set(metrics.__all__) >= NOT_METRICS
  assert not [n for n in NOT_METRICS if hasattr(getattr(metrics, n), "directions")]


def test_statements_add_up():
  @higher_is_better("a", "accuracy_*")
  @lower_is_better("b")
  @neither_is_better("c")
  def metric(codes):
    return codes

  assert metric.directions == {"c": "neither", "b": "lower", "a": "higher"} | {
    "accuracy_*": "higher"
  }
  found = [direction_of(metric, name) for name in ("a", "b", "c", "accuracy_10")]
  assert found == [HIGHER, LOWER, NEITHER, HIGHER]
  assert metric([1]) == [1]


def test_what_is_not_stated_has_none():
  @higher_is_better("a", "accuracy_*")
  def metric(codes):
    return codes

  for name in ("b", "a_test", "A", "accuracy", "my_accuracy_10"):
    assert direction_of(metric, name) is None
  assert direction_of(lambda codes: codes, "a") is None


def test_one_metric_does_not_speak_for_another():
  state = higher_is_better("a")
  first, second = state(lambda codes: 1), state(lambda codes: 2)
  lower_is_better("b")(first)
  assert direction_of(first, "b") == LOWER
  assert direction_of(second, "b") is None


class Clock:
  """A clock that shows the time it is set to."""

  def __init__(self):
    self.seconds = 100.0

  def __call__(self):
    return self.seconds


def test_without_a_limit_anything_may_last():
  check_time()


def test_a_limit_that_is_over():
  clock = Clock()
  with time_limit(5, clock=clock):
    clock.seconds = 105.0
    check_time()
    clock.seconds = 105.1
    with pytest.raises(TimeLimitError, match="too long") as error:
      check_time()
  assert isinstance(error.value, UserError)
  check_time()  # the limit ended with its block


def test_a_limit_ends_with_an_error_too():
  with pytest.raises(KeyError), time_limit(-1):
    raise KeyError
  check_time()


def test_the_innermost_limit_counts():
  clock = Clock()
  with time_limit(1, clock=clock):
    clock.seconds += 2
    with time_limit(10, clock=clock):
      check_time()
    with pytest.raises(TimeLimitError):
      check_time()


def test_other_threads_are_limited():
  errors = []

  def work():
    try:
      check_time()
    except TimeLimitError as error:
      errors.append(error)

  with time_limit(-1):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
  assert len(errors) == 1
