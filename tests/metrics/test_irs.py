import numpy as np
import pytest
from metric_checks import draw_factors, golden_case, run_metric_test

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import irs
from disentangle_tf.metrics._irs import irs_matrix


def test_promises():
  run_metric_test(
    irs,
    perfect={"irs": 1.0, "active_latents": 3.0},
    random={"irs": (0.0, 0.1), "active_latents": 6.0},
  )


def test_known_value():
  # While factor 0 is held, the latent deviates by 1, of 2 at most. While factor 1 is
  # held, it deviates by 1 as well.
  factors = np.stack(np.meshgrid(range(2), range(2)), axis=-1).reshape(-1, 2)
  codes = factors.sum(axis=1, keepdims=True) * 2.0
  np.testing.assert_allclose(
    irs_matrix(codes, factors, diff_quantile=1.0), [[0.5, 0.5]]
  )
  scores = irs(codes, factors, diff_quantile=1.0)
  assert scores == pytest.approx({"irs": 0.5, "active_latents": 1.0})


def test_constant_latents_do_not_count():
  factors = draw_factors(500)
  codes = np.concatenate([factors, np.full((500, 2), 0.3)], axis=1).astype(np.float32)
  assert irs(codes, factors) == pytest.approx({"irs": 1.0, "active_latents": 3.0})
  assert irs(np.full((500, 2), 0.3), factors) == {"irs": 0.0, "active_latents": 0.0}
  assert not irs_matrix(codes, factors)[3:].any()


@pytest.mark.parametrize("quantile", [0, 1.5, np.nan, "all"])
def test_wrong_quantile(quantile):
  factors = draw_factors(50)
  with pytest.raises(UserError, match="diff_quantile"):
    irs(factors, factors, diff_quantile=quantile)


@pytest.mark.parametrize("case", "12345")
@pytest.mark.parametrize(("name", "quantile"), [("irs", 0.99), ("irs_quantile_1", 1.0)])
def test_golden(case, name, quantile):
  metrics, arrays = golden_case(case)
  points = arrays["codes_train"], arrays["factors_train"]
  scores = irs(*points, diff_quantile=quantile)
  assert scores["irs"] == pytest.approx(metrics[name]["scores"]["IRS"], abs=1e-5)
  expected = metrics["intermediate"]["scores"]
  assert scores["active_latents"] == expected["irs_num_nonconstant_dims"]
  if quantile == 0.99:
    matrix = irs_matrix(*points)
    np.testing.assert_allclose(
      matrix[np.ptp(arrays["codes_train"], axis=0) > 0],
      expected["irs_matrix"],
      atol=1e-5,
    )
