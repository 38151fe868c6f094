import numpy as np
import pytest
from metric_checks import check_is_scores, draw_factors, golden_case

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import downstream_accuracies, downstream_task

RNG = np.random.default_rng(0)
PREDICTORS = ("logistic", "gradient_boosting", "lightgbm")
every_predictor = pytest.mark.parametrize("predictor", PREDICTORS)


def _points(count, seed=0):
  factors = draw_factors(count, sizes=(2, 3), seed=seed)
  return factors * 1.0, factors


@every_predictor
def test_perfect_and_random_codes(predictor):
  (codes, factors), (test_codes, test_factors) = _points(80), _points(200, seed=1)
  options = {"sizes": (10, 80), "predictor": predictor}
  scores = downstream_task(codes, factors, test_codes, test_factors, **options)
  check_is_scores(scores)
  end = "" if predictor == "logistic" else f"_{predictor}"
  assert list(scores) == [f"accuracy_10{end}", f"accuracy_80{end}"]
  assert scores[f"accuracy_80{end}"] == 1.0
  noise = RNG.normal(size=(80, 3)), RNG.normal(size=(200, 3))
  scores = downstream_task(noise[0], factors, noise[1], test_factors, **options)
  chance = (1 / 2 + 1 / 3) / 2
  assert scores[f"accuracy_80{end}"] == pytest.approx(chance, abs=0.08)


def test_efficiency():
  (codes, factors), (test_codes, test_factors) = _points(10_000), _points(500, seed=1)
  noisy = codes[:, :1] + RNG.normal(size=(10_000, 1))
  scores = downstream_task(
    noisy,
    factors[:, :1],
    test_codes[:, :1] + RNG.normal(size=(500, 1)),
    test_factors[:, :1],
    sizes=(100, 10_000),
  )
  ratio = scores["accuracy_100"] / scores["accuracy_10000"]
  assert scores["efficiency"] == pytest.approx(ratio)
  assert 0.8 < ratio <= 1.1


def test_efficiency_of_other_sizes():
  points = (*_points(50), *_points(100, seed=1))
  options = {"sizes": (5, 50), "efficiency_sizes": (5, 50)}
  scores = downstream_task(*points, **options)
  assert scores["efficiency"] == scores["accuracy_5"] / scores["accuracy_50"] < 1
  with pytest.raises(UserError, match="efficiency_sizes is .* two numbers"):
    downstream_task(*points, sizes=(5, 50), efficiency_sizes=(5,))


def test_accuracies_use_the_first_points():
  codes, factors = _points(60)
  spoilt = factors.copy()
  spoilt[20:] = 0
  matrix = downstream_accuracies(codes, spoilt, codes, factors, sizes=(20, 60))
  assert matrix.shape == (2, 2)
  assert (matrix[0] == 1.0).all()
  assert (matrix[1] < 1.0).all()


@every_predictor
def test_few_and_lonely_labels(predictor):
  # Folds without a value, values of one point, fewer points than folds, one value.
  factors = np.array([[0, 0, 5], [0, 1, 5], [0, 2, 5], [0, 3, 5], [0, 4, 5], [1, 5, 5]])
  test = np.array([[1, 7, 5], [0, 0, 6]])
  matrix = downstream_accuracies(
    factors, factors, test, test, sizes=(1, 2, 3, 6), predictor=predictor
  )
  assert matrix.shape == (4, 3)
  assert np.isfinite(matrix).all()
  assert matrix[:, 2].tolist() == [0.5] * 4


@every_predictor
def test_seeded_and_the_same_in_parallel(predictor):
  codes, factors = _points(40)
  codes = np.round(codes + RNG.normal(size=codes.shape), 1)
  options = {"sizes": (20,), "predictor": predictor}
  alone = downstream_task(codes, factors, codes, factors, **options, num_jobs=1)
  parallel = downstream_task(codes, factors, codes, factors, **options, num_jobs=3)
  assert parallel == pytest.approx(alone, abs=1e-9)


def test_sizes():
  codes, factors = _points(50)
  for sizes in ((10, 51), (), (0,), (2.5,)):
    with pytest.raises(UserError, match="sizes"):
      downstream_task(codes, factors, codes, factors, sizes=sizes)
  with pytest.raises(UserError, match="'svm': it must be 'logistic', "):
    downstream_task(codes, factors, codes, factors, predictor="svm")


@pytest.mark.parametrize("size", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_golden(size):
  metrics, arrays = golden_case(1)
  expected = metrics[f"downstream_logreg_{size}"]["scores"]
  accuracies = downstream_accuracies(
    arrays["codes_train"],
    arrays["factors_train"],
    arrays["codes_test"],
    arrays["factors_test"],
    sizes=(size,),
  )
  wanted = [expected[f"{size}:test_accuracy_factor_{i}"] for i in range(5)]
  # Penalties tie in folds of so few points, and rounding chooses: 0.018 at most between
  # the kernels of OpenBLAS.
  np.testing.assert_allclose(accuracies[0], wanted, atol=0.03)
  assert np.mean(accuracies[0]) == pytest.approx(np.mean(wanted), abs=0.01)
