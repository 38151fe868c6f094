import numpy as np
import pytest
from metric_checks import draw_factors, golden_case, run_metric_test
from sklearn import metrics as sk_metrics
from sklearn.linear_model import LogisticRegression

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import explicitness

RNG = np.random.default_rng(0)
NAMES = ("explicitness_train", "explicitness_test")


def _explicitness(codes, factors, **options):
  return explicitness(codes, factors, codes, factors, **options)


def test_promises():
  # One latent for each value: a linear classifier separates them all.
  factors = draw_factors(2000)
  codes = np.concatenate(
    [factors == value for value in range(5)], axis=1, dtype=np.float64, casting="unsafe"
  )
  run_metric_test(
    _explicitness,
    perfect=dict.fromkeys(NAMES, 1.0),
    random=dict.fromkeys(NAMES, (0.5, 0.56)),
    perfect_codes=codes,
    tolerance=1e-3,
  )


def test_is_the_area_under_the_curve():
  factor = draw_factors(200, sizes=(3,))
  codes = factor + RNG.normal(size=(200, 2))
  scaled = (codes - codes.mean(axis=0)) / codes.std(axis=0)
  probabilities = LogisticRegression().fit(scaled, factor[:, 0]).predict_proba(scaled)
  expected = sk_metrics.roc_auc_score(factor[:, 0], probabilities, multi_class="ovr")
  scores = _explicitness(codes, factor)
  assert scores == dict.fromkeys(NAMES, pytest.approx(expected, abs=1e-5))


def test_one_versus_rest():
  factor = draw_factors(300, sizes=(4,))
  codes = np.concatenate([factor, factor == 2], axis=1) + RNG.normal(size=(300, 2))
  scaled = (codes - codes.mean(axis=0)) / codes.std(axis=0)
  chances = np.stack(
    [
      LogisticRegression()
      .fit(scaled, factor[:, 0] == value)
      .predict_proba(scaled)[:, 1]
      for value in range(4)
    ],
    axis=1,
  )
  chances /= chances.sum(axis=1, keepdims=True)
  expected = sk_metrics.roc_auc_score(factor[:, 0], chances, multi_class="ovr")
  scores = _explicitness(codes, factor, one_versus_rest=True)
  assert scores == dict.fromkeys(NAMES, pytest.approx(expected, abs=1e-5))
  assert abs(_explicitness(codes, factor)["explicitness_test"] - expected) > 1e-3


def test_scale_and_place_of_the_codes_do_not_matter():
  factors = draw_factors(200)
  codes = factors + RNG.normal(size=factors.shape)
  moved = 1e-3 * codes + 1e4
  expected = pytest.approx(_explicitness(codes, factors), abs=1e-4)
  assert _explicitness(moved, factors) == expected


def test_constant_latents():
  factors = draw_factors(200)
  codes = factors + RNG.normal(size=factors.shape)
  expected = pytest.approx(_explicitness(codes, factors), abs=1e-5)
  assert _explicitness(np.insert(codes, 1, 0.3, axis=1), factors) == expected
  nothing = _explicitness(np.full_like(codes, 0.3), factors)
  assert nothing == pytest.approx(dict.fromkeys(NAMES, 0.5))


def test_values_that_are_rare_or_missing():
  factor = np.arange(60)[:, None] % 3
  factor[7] = 9  # once in training, never in testing
  test_factor = np.array([[0], [2], [0], [17]])  # and a value absent from training
  codes, test_codes = (f == [[0, 1, 2, 9]] for f in (factor, test_factor))
  scores = explicitness(codes * 1.0, factor, test_codes * 1.0, test_factor)
  assert scores == pytest.approx(dict.fromkeys(NAMES, 1.0))
  with_constant = np.insert(test_factor, 1, 5, axis=1)
  factors = np.tile(factor, 2)
  scores = explicitness(codes * 1.0, factors, test_codes * 1.0, with_constant)
  assert scores["explicitness_test"] == pytest.approx(1.0)
  with pytest.raises(UserError, match="a test factor"):
    explicitness(codes[:, :1], factor, np.zeros((3, 1)), np.zeros((3, 1)))


def test_the_same_in_parallel():
  factors = draw_factors(100)
  codes = factors + RNG.normal(size=factors.shape)
  alone = _explicitness(codes, factors, num_jobs=1)
  assert _explicitness(codes, factors, num_jobs=3) == pytest.approx(alone, abs=1e-9)


@pytest.mark.parametrize(
  "case", ["3", *(pytest.param(case, marks=pytest.mark.slow) for case in "1245")]
)
def test_golden(case):
  metrics, arrays = golden_case(case)
  constant_latents = "scores" not in metrics["modularity_explicitness"]
  name = "constant_safe_extension" if constant_latents else "modularity_explicitness"
  scores = explicitness(
    arrays["codes_train"],
    arrays["factors_train"],
    arrays["codes_test"],
    arrays["factors_test"],
  )
  for part in ("train", "test"):
    expected = metrics[name]["scores"][f"explicitness_score_{part}"]
    assert scores[f"explicitness_{part}"] == pytest.approx(expected, abs=2e-4)
