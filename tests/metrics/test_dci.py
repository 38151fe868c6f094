import numpy as np
import pytest
from metric_checks import check_is_scores, draw_factors, golden_case, golden_dci
from scipy import special
from sklearn.svm import LinearSVC

from disentangle_tf import progress
from disentangle_tf.errors import UserError
from disentangle_tf.metrics import dci, dci_fit, dci_importance
from disentangle_tf.metrics._dci import completeness, disentanglement

RNG = np.random.default_rng(0)
PREDICTORS = ("gradient_boosting", "lightgbm", "svm", "random_forest", "lasso")
NAMES = (
  "disentanglement",
  "completeness",
  "informativeness_train",
  "informativeness_test",
)
every_predictor = pytest.mark.parametrize("predictor", PREDICTORS)


def _points(count, factors=2, values=3, seed=0):
  return draw_factors(count, sizes=(values,) * factors, seed=seed)


def _suffix(predictor):
  return "" if predictor == "gradient_boosting" else f"_{predictor}"


def test_perfect_code():
  factors, test_factors = _points(300), _points(100, seed=1)
  scores = dci(factors * 1.0, factors, test_factors * 1.0, test_factors, num_jobs=1)
  assert scores == {
    "disentanglement": pytest.approx(1.0, abs=1e-3),
    "completeness": pytest.approx(1.0, abs=1e-3),
    "informativeness_train": 1.0,
    "informativeness_test": 1.0,
  }


def test_random_code_is_at_chance():
  factors, test_factors = _points(300), _points(300, seed=1)
  codes, test_codes = RNG.normal(size=(2, 300, 4))
  scores = dci(codes, factors, test_codes, test_factors, num_jobs=1)
  assert scores["informativeness_test"] == pytest.approx(1 / 3, abs=0.08)
  assert scores["disentanglement"] < 0.1


@every_predictor
def test_predictors_are_named_and_see_what_is_disentangled(predictor):
  factors, test_factors = _points(200), _points(200, seed=1)
  scores = dci(factors, factors, test_factors, test_factors, predictor=predictor)
  check_is_scores(scores)
  assert tuple(scores) == tuple(name + _suffix(predictor) for name in NAMES)
  assert min(scores.values()) > (0.85 if predictor == "svm" else 0.95)
  # Every latent is a mixture of both factors.
  mixture = np.array([[1.0, 1.0], [1.0, -1.0]])
  mixed = dci(
    factors @ mixture,
    factors,
    test_factors @ mixture,
    test_factors,
    predictor=predictor,
  )
  first = next(iter(scores))
  assert mixed[first] < scores[first] - 0.1


@every_predictor
def test_seeded_and_the_same_in_parallel(predictor):
  factors = _points(60)
  codes = np.round(factors + RNG.normal(size=(60, 2)), 1)
  arguments = (codes, factors, codes, factors)
  alone = pytest.approx(dci(*arguments, predictor=predictor, num_jobs=1), abs=1e-9)
  assert dci(*arguments, predictor=predictor, num_jobs=3) == alone
  assert dci(*arguments, predictor=predictor, rng=np.random.default_rng(0)) == alone


def test_known_matrices():
  identity = np.eye(3)
  uniform = np.ones((3, 3)) / 3
  assert disentanglement(identity) == completeness(identity) == pytest.approx(1)
  assert disentanglement(uniform) == pytest.approx(0, abs=1e-6)
  # One latent serves both factors: disentanglement 0, completeness 1.
  shared = np.array([[1.0, 1.0], [0.0, 0.0]])
  assert disentanglement(shared) == pytest.approx(0, abs=1e-6)
  assert completeness(shared) == pytest.approx(1, abs=1e-6)
  assert disentanglement(np.zeros((2, 2))) == pytest.approx(0, abs=1e-6)


def test_factors_weigh_alike_in_completeness_as_printed():
  # The first factor has one latent and three quarters of all importance.
  importance = np.array([[3.0, 0.5], [0.0, 0.5]])
  assert completeness(importance) == pytest.approx(0.75)
  assert completeness(importance, weighted=False) == pytest.approx(0.5)


def test_svm_as_the_appendix_prints_it():
  factors, test_factors = _points(300, factors=3), _points(100, factors=3, seed=1)
  mixture = np.array([[5.0, 1.0, 0.0], [0.0, 1.0, 0.1], [0.0, 0.0, 0.1]])
  codes, test_codes = factors @ mixture, test_factors @ mixture
  scaled, test_scaled = (
    (c - codes.mean(axis=0)) / codes.std(axis=0) for c in (codes, test_codes)
  )
  machines = [LinearSVC(penalty="l1", dual=False).fit(scaled, f) for f in factors.T]
  weights = np.array([np.abs(m.coef_).mean(axis=0) for m in machines])  # R
  by_factor = weights / weights.sum(axis=1, keepdims=True)
  by_latent = weights / weights.sum(axis=0)
  complete = 1 + special.xlogy(by_factor, by_factor).sum(axis=1) / np.log(3)
  disentangled = 1 + special.xlogy(by_latent, by_latent).sum(axis=0) / np.log(3)
  shares = weights.sum(axis=0) / weights.sum()
  accuracies = [
    m.score(test_scaled, f) for m, f in zip(machines, test_factors.T, strict=True)
  ]
  scores = dci(
    codes,
    factors,
    test_codes,
    test_factors,
    predictor="svm",
    weighted_completeness=False,
  )
  assert scores["completeness_svm"] == pytest.approx(complete.mean(), abs=2e-3)
  assert scores["disentanglement_svm"] == pytest.approx(shares @ disentangled, abs=2e-3)
  assert scores["informativeness_test_svm"] == pytest.approx(
    np.mean(accuracies), abs=0.01
  )
  weighted = dci(codes, factors, test_codes, test_factors, predictor="svm")
  assert abs(weighted["completeness_svm"] - complete.mean()) > 0.01


@every_predictor
def test_the_importance_matrix(predictor):
  factors = np.insert(_points(120), 1, 4, axis=1)  # the second has one value
  constant = np.full((120, 1), 0.3)
  codes = np.concatenate([factors[:, 2:], constant, factors[:, :1]], axis=1)
  importance = dci_importance(codes, factors, predictor=predictor)
  assert importance.shape == (3, 3)
  assert (importance >= 0).all()
  assert importance.argmax(axis=0)[[0, 2]].tolist() == [2, 0]
  assert not importance[1].any()
  assert not importance[:, 1].any()
  if predictor not in ("svm", "lasso"):
    np.testing.assert_allclose(importance.sum(axis=0), [1, 0, 1])
  fit = dci_fit(codes, factors, codes, factors, predictor=predictor)
  np.testing.assert_allclose(fit.importance, importance, atol=1e-9)
  assert fit.informativeness_test[1] == 1.0
  scores = dci(codes, factors, codes, factors, predictor=predictor)
  expected = disentanglement(importance[:, [0, 2]])
  assert scores["disentanglement" + _suffix(predictor)] == pytest.approx(expected)


@every_predictor
def test_constant_codes(predictor):
  factors = np.arange(90)[:, None] % [3, 2]
  scores = dci(0 * factors, factors, 0 * factors, factors, predictor=predictor)
  check_is_scores(scores)
  uninformed = {"random_forest": 0.0, "lasso": 0.0}.get(predictor, (1 / 3 + 1 / 2) / 2)
  values = list(scores.values())
  assert values[:2] == pytest.approx([0, 0], abs=1e-6)
  assert values[2:] == pytest.approx([uninformed] * 2)


@every_predictor
def test_values_that_are_rare_or_missing(predictor):
  factor = np.arange(60)[:, None] % 4
  factor[7] = 9  # once in training, never in testing
  test_factor = np.array([[0], [2], [0], [17]])  # and a value absent from training
  scores = dci(factor, factor, test_factor, test_factor, predictor=predictor)
  check_is_scores(scores)
  assert scores["disentanglement" + _suffix(predictor)] == pytest.approx(1.0)
  if predictor in ("gradient_boosting", "lightgbm"):
    assert scores["informativeness_test" + _suffix(predictor)] == 0.75


@pytest.mark.parametrize("predictor", ["random_forest", "lasso"])
def test_informativeness_of_regressions(predictor):
  factor = RNG.normal(size=(400, 1))
  noisy = factor + RNG.normal(size=(400, 1))
  known = dci(factor, factor, factor, factor, predictor=predictor)
  partly = dci(noisy, factor, noisy, factor, predictor=predictor)
  # The best guess from factor + noise has half the variance as its error.
  assert known[f"informativeness_test_{predictor}"] > 0.9
  if predictor == "lasso":
    assert partly["informativeness_test_lasso"] == pytest.approx(1 - 0.5**0.5, abs=0.05)


def test_edges():
  factors = np.stack([np.arange(90) % 3, np.zeros(90, int)], axis=1)
  scores = dci(factors * 1.0, factors, factors * 1.0, factors, num_jobs=1)
  alone = dci(factors * 1.0, factors[:, :1], factors * 1.0, factors[:, :1], num_jobs=1)
  assert scores == pytest.approx(alone)
  with pytest.raises(UserError, match="more than one value"):
    dci(factors, factors[:, 1:], factors, factors[:, 1:])
  with pytest.raises(UserError, match="2 latents to fit and 1 to test"):
    dci(factors, factors, factors[:, :1], factors)
  with pytest.raises(UserError, match="2 factors to fit and 1 to test"):
    dci(factors, factors, factors, factors[:, :1])
  with pytest.raises(UserError, match="latent 1 has codes"):
    dci(factors, factors, factors * [1, np.nan], factors)


def test_unknown_predictor():
  with pytest.raises(UserError, match="'xgboost': it must be 'gradient_boosting', "):
    dci(np.eye(3), np.eye(3), np.eye(3), np.eye(3), predictor="xgboost")


def test_progress_bar(capsys, monkeypatch):
  factors = np.arange(60)[:, None] % [2, 3]
  dci(factors, factors, factors, factors, num_jobs=1)
  assert capsys.readouterr().err == ""
  monkeypatch.setattr(progress, "_SECONDS_TO_BAR", 0)
  monkeypatch.setattr(progress, "_SECONDS_IN_A_LOG", 0)
  dci(factors, factors, factors, factors, num_jobs=1)
  shown = capsys.readouterr().err
  assert "factor 1 (3 values)" in shown
  assert "dci_lightgbm is many times faster" in shown
  assert "100%" in shown


@pytest.mark.parametrize("case", "12345")
def test_golden_scores_of_golden_importances(case):
  scores = golden_case(case)[0]["dci_2000_1000"]["scores"]
  importance = np.array(scores["importance_matrix"])
  assert disentanglement(importance) == pytest.approx(
    scores["disentanglement"], abs=1e-9
  )
  assert completeness(importance) == pytest.approx(scores["completeness"], abs=1e-9)


def test_golden_importances_of_two_factors():
  points, expected = golden_dci(2)
  importance = dci_importance(points[0], points[1][:, :2])
  np.testing.assert_allclose(
    importance, np.array(expected["importance_matrix"])[:, :2], atol=5e-4
  )


@pytest.mark.slow
@pytest.mark.parametrize(
  ("case", "num_points"), [*((case, 2000) for case in "12345"), ("1", 10_000)]
)
def testgolden_dci(case, num_points):
  points, expected = golden_dci(case, num_points)
  scores = dci(*points)
  for name, score in scores.items():
    assert score == pytest.approx(expected[name], abs=0.01)
