import numpy as np
import pytest
from metric_checks import golden_case, run_metric_test

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import mig

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((4, 5, 8), size=(5000, 3))


def test_promises():
  run_metric_test(mig, perfect={"mig": 1.0}, random={"mig": 0.0})


def test_redundant_and_random_codes():
  assert mig(np.tile(FACTORS, 2) * 1.0, FACTORS)["mig"] == pytest.approx(0.0, abs=1e-9)
  assert mig(RNG.normal(size=(5000, 6)), FACTORS)["mig"] < 0.01


def test_known_gap():
  # Latent 0 encodes the factor, latent 1 only its parity: log 4 - log 2 over log 4.
  factor = np.arange(4000)[:, None] % 4
  codes = np.concatenate([factor, factor % 2], axis=1)
  assert mig(codes, factor)["mig"] == pytest.approx(0.5)


def test_one_latent_and_one_valued_factors():
  constant = np.zeros((5000, 1), int)
  assert mig(FACTORS[:, :1], FACTORS[:, :1])["mig"] == pytest.approx(1.0)
  with_constant = np.concatenate([FACTORS, constant], axis=1)
  assert mig(FACTORS, with_constant) == pytest.approx(mig(FACTORS, FACTORS))
  with pytest.raises(UserError, match="more than one value"):
    mig(FACTORS, constant)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("steps", [0, 3])
def test_collapsed_latents_know_nothing_and_break_nothing(dtype, steps):
  # A latent that varies at random by a few float steps.
  collapsed = np.full(5000, 0.3, dtype)
  collapsed += RNG.integers(steps + 1, size=5000) * np.spacing(dtype(0.3))
  codes = np.concatenate([FACTORS.astype(dtype), collapsed[:, None]], axis=1)
  assert mig(codes, FACTORS)["mig"] == pytest.approx(
    mig(FACTORS.astype(dtype), FACTORS)["mig"], abs=1e-3
  )


def test_continuous_factors_are_binned():
  factors = RNG.uniform(size=(5000, 2))
  # Twenty bins each: values within a bin are not distinguished.
  assert mig(factors, factors)["mig"] == pytest.approx(1.0, abs=0.02)
  counted = mig(factors.round(1), (factors * 10).round().astype(int))
  assert mig(factors.round(1), factors.round(1)) == pytest.approx(counted)


@pytest.mark.parametrize("num_bins", [0, -1, 2.5, "many"])
def test_bins_must_be_counted(num_bins):
  with pytest.raises(UserError, match="num_bins"):
    mig(FACTORS, FACTORS, num_bins=num_bins)


@pytest.mark.parametrize(
  ("codes", "match"),
  [
    (np.full((5000, 2), np.nan), "latent 0"),
    (FACTORS[:10], "points"),
    (FACTORS[:, 0], "points"),
    (np.zeros((5000, 0)), "nothing"),
  ],
)
def test_codes_that_cannot_be_scored(codes, match):
  with pytest.raises(UserError, match=match):
    mig(codes, FACTORS)


@pytest.mark.parametrize("case", "12345")
def test_golden(case):
  metrics, arrays = golden_case(case)
  score = mig(arrays["codes_train"], arrays["factors_train"])["mig"]
  expected = metrics["mig"]["scores"]["discrete_mig"]
  assert score == pytest.approx(expected, abs=1e-6)
