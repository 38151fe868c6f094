import numpy as np
import pytest
from metric_checks import golden_udr, run_metric_test

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import udr
from disentangle_tf.metrics._mcc import correlation_matrix
from disentangle_tf.metrics._udr import udr_matrix, udr_scores

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
  ("method", "expected"),
  # The penalty keeps Lasso's weights at 1 - alpha; ranks correlate by chance as well.
  [("lasso", 0.9), ("spearman", (0.88, 1.0))],
)
def test_promises_of_a_model_and_itself_in_another_order(method, expected):
  def agreement(codes):
    return udr([codes, -np.asarray(codes, float)[:, ::-1]], method=method)

  run_metric_test(
    agreement,
    needs_factors=False,
    perfect={"udr": expected},
    random={"udr": expected},
  )


def test_independent_models_do_not_agree():
  models = [RNG.normal(size=(2000, 4)) for _ in range(3)]
  assert udr(models) == {"udr": 0.0}
  assert udr(models, method="spearman")["udr"] < 0.05


def test_a_mixed_model_ranks_last():
  codes = RNG.normal(size=(1000, 4))
  mixed = codes @ np.linalg.qr(RNG.normal(size=(4, 4)))[0]
  models = [codes, -codes[:, [2, 0, 3, 1]], mixed, 3 * codes]
  for method in ("lasso", "spearman"):
    scores = udr_scores(models, method=method)
    assert scores.argmin() == 2
    assert udr(models, method=method)["udr"] == pytest.approx(scores.mean())


def test_inactive_latents():
  codes = RNG.normal(size=(500, 3))
  with_constant = np.concatenate([codes, np.full((500, 1), 0.3)], axis=1)
  models = [with_constant, codes]
  for method in ("lasso", "spearman"):
    dropped = udr(models, method=method)
    assert dropped == pytest.approx(udr([codes, codes], method=method))
    kept = udr(models, method=method, drop_inactive=False)
    assert kept["udr"] < dropped["udr"]
    assert udr([codes, np.zeros((500, 2))], method=method) == {"udr": 0.0}
    low = [np.array([1, 1, 1, 0.01]), np.ones(3)]
    assert udr(models, method=method, kl=low) == pytest.approx(dropped)


@pytest.mark.parametrize(
  ("models", "options", "match"),
  [
    ([np.eye(3)], {}, "two models"),
    ([np.eye(3), np.eye(4)], {}, "two models"),
    ([np.eye(3), np.full((3, 2), np.nan)], {}, "model 1: latent 0"),
    ([np.eye(3)] * 2, {"kl": [np.ones(3), np.ones(2)]}, "KL"),
    ([np.eye(3)] * 2, {"kl": [np.ones(3)]}, "KL"),
    (
      [np.eye(3)] * 2,
      {"method": "ridge"},
      "'ridge': it must be 'lasso' or 'spearman'",
    ),
  ],
)
def test_what_cannot_be_compared(models, options, match):
  with pytest.raises(UserError, match=match):
    udr(models, **options)


def _models(arrays):
  return [arrays[f"reps_{number}"] for number in range(3)]


@pytest.mark.parametrize(
  ("method", "drop"), [("lasso", True), ("lasso", False), ("spearman", True)]
)
def test_golden(method, drop):
  results, arrays = golden_udr()
  expected = results[f"udr_c1.{method}.filter_{drop}"]["scores"]
  options = {"method": method, "kl": arrays["kl"], "drop_inactive": drop}
  scores = udr_scores(_models(arrays), **options)
  np.testing.assert_allclose(scores, expected["model_scores"], atol=1e-6)
  pairs = np.array(expected["pairwise_disentanglement_scores"])[..., 0]
  np.testing.assert_allclose(udr_matrix(_models(arrays), **options), pairs, atol=1e-6)


def test_where_the_reference_is_wrong():
  # Its ranks of latents set to 0 are NaN, and so is the largest of a row or column with
  # such a latent; it then counts the whole row or column as 0.
  results, arrays = golden_udr()
  expected = results["udr_c1.spearman.filter_False"]["scores"]
  expected = np.array(expected["pairwise_disentanglement_scores"])[..., 0]
  models, active = _models(arrays), arrays["kl"] > 0.01
  for i, j in ((0, 1), (0, 2), (2, 0), (2, 1)):
    strengths = abs(correlation_matrix(models[i], models[j], correlation="spearman"))
    strengths[~active[i]], strengths[:, ~active[j]] = np.nan, np.nan
    parts = [strengths.max(axis=a) ** 2 / strengths.sum(axis=a) for a in (0, 1)]
    spoilt = np.mean([np.nan_to_num(part).mean() for part in parts])
    assert spoilt == pytest.approx(expected[i, j], abs=1e-9)
  # The intended result: inactive latents count as zeros in the mean.
  options = {"method": "spearman", "kl": arrays["kl"]}
  dropped = udr_matrix(models, **options)
  kept = udr_matrix(models, drop_inactive=False, **options)
  assert (kept <= dropped).all()
  assert kept[0, 1] > 0.3
