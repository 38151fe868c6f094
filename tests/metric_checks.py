"""What every metric's test needs; no TensorFlow here."""

import functools
import json
import math
import pathlib

import numpy as np
import pytest

FACTOR_SIZES = (3, 4, 5)
_GOLDEN = pathlib.Path(__file__).parent / "golden" / "metrics"


def golden_case(number):
  """(metrics {name: {settings, scores, tolerance}}, arrays) of case `number`."""
  case = _expected()["cases"][str(number)]
  return case["metrics"], _arrays(case["file"])


def golden_dci(number, num_points=2000):
  """(codes, factors, test codes, test factors), and DCI's scores of them."""
  metrics, arrays = golden_case(number)
  half = num_points // 2
  train = [arrays[name][:num_points] for name in ("codes_train", "factors_train")]
  test = [arrays[name][:half] for name in ("codes_test", "factors_test")]
  return train + test, metrics[f"dci_{num_points}_{half}"]["scores"]


def golden_udr():
  """(results {name: {scores}}, arrays) of the models that UDR compares."""
  udr = _expected()["udr"]
  return udr["results"], _arrays(udr["file"])


def golden_pure_functions():
  """{name: {scores}} of functions of matrices and counts."""
  return _expected()["pure_functions"]


def draw_factors(num_points, *, sizes=FACTOR_SIZES, seed=0):
  """Uniform integer factors [points, factors]."""
  return np.random.default_rng(seed).integers(sizes, size=(num_points, len(sizes)))


def run_metric_test(
  metric,
  *,
  perfect,
  random,
  needs_factors=True,
  perfect_codes=None,
  num_points=2000,
  tolerance=0.02,
):
  """Checks what every metric promises.

  A perfect code gives the documented best, a random one the documented floor; neither
  the order of the points nor that of the latents, nor the type of the numbers, matters;
  what is given is left as it was; what comes back are finite Python floats.

  Args:
    metric: function of (codes, factors), or of codes if not `needs_factors`. Wrap one
      that takes more: `lambda codes, factors: sap(codes, factors, codes, factors)`.
    perfect: {name: value} for codes that are the factors, or `perfect_codes`.
    random: {name: value or (lowest, highest)} for uniform codes that know nothing.
    perfect_codes: [num_points, latents] where "perfect" means something else.
    num_points: points to measure on.
    tolerance: of the values.
  """
  factors = draw_factors(num_points)
  codes = factors * 1.0 if perfect_codes is None else perfect_codes
  noise = np.random.default_rng(1).uniform(-1, 1, size=(num_points, 6))

  def score(codes, factors):
    return metric(codes, factors) if needs_factors else metric(codes)

  scores = _check_scores(score(codes, factors), perfect, tolerance)
  _check_scores(score(noise, factors), random, tolerance)
  _check_nothing_is_changed(score, codes, factors)
  order = np.random.default_rng(2).permutation(num_points)
  assert score(codes[order], factors[order]) == pytest.approx(scores, abs=1e-6)
  assert score(codes[:, ::-1], factors) == pytest.approx(scores, abs=1e-6)
  for dtype in (np.float16, np.float32, np.int64):
    if (codes.astype(dtype) == codes).all():
      assert score(codes.astype(dtype), factors) == pytest.approx(scores, abs=1e-5)
  assert score(codes.tolist(), factors.tolist()) == pytest.approx(scores, abs=1e-9)


def check_is_scores(scores):
  """A metric gives names with finite Python floats."""
  assert isinstance(scores, dict)
  assert scores
  for name, value in scores.items():
    assert type(value) is float, f"{name} is a {type(value)}"
    assert math.isfinite(value), f"{name} is {value}"


def _check_scores(scores, expected, tolerance):
  check_is_scores(scores)
  assert scores.keys() == expected.keys()
  for name, value in expected.items():
    low, high = value if isinstance(value, tuple) else (value, value)
    assert low - tolerance <= scores[name] <= high + tolerance, (name, scores[name])
  return scores


def _check_nothing_is_changed(score, codes, factors):
  kept = codes.copy(), factors.copy()
  for array in (codes, factors):
    array.setflags(write=False)
  score(codes, factors)
  np.testing.assert_array_equal(codes, kept[0])
  np.testing.assert_array_equal(factors, kept[1])


@functools.cache
def _expected():
  return json.loads((_GOLDEN / "expected.json").read_text(encoding="utf-8"))


@functools.cache
def _arrays(file):
  with np.load(_GOLDEN / file) as arrays:
    loaded = dict(arrays)
  for array in loaded.values():
    array.setflags(write=False)  # shared by the tests
  return loaded
