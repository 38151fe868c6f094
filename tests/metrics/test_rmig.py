import numpy as np
import pytest
from metric_checks import draw_factors, golden_case, run_metric_test

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import mig, rmig

RNG = np.random.default_rng(0)
FACTORS = draw_factors(4000, sizes=(4, 4))
# One latent encodes the first factor; another both, but only half of the second.
MIXED = np.stack([FACTORS[:, 0], 4 * FACTORS[:, 0] + FACTORS[:, 1] // 2], axis=1)


def test_promises():
  run_metric_test(rmig, perfect={"rmig": 1.0}, random={"rmig": 0.0})


def test_known_gap():
  assert rmig(np.tile(FACTORS, 2), FACTORS)["rmig"] == pytest.approx(0)
  # Factor 0: both latents encode it fully. Factor 1: one latent encodes half of it.
  assert rmig(MIXED, FACTORS)["rmig"] == pytest.approx((0 + 0.5) / 2, abs=0.01)


def test_rmig_of_means_is_mig_with_as_many_bins():
  codes = FACTORS + RNG.normal(size=FACTORS.shape)
  score = rmig(codes, FACTORS, num_bins=20)["rmig"]
  assert score == pytest.approx(mig(codes, FACTORS)["mig"], abs=1e-9)


def test_rmig_of_posteriors_is_that_of_many_samples():
  means = FACTORS[:1000] - 1.5
  spread = RNG.uniform(0.2, 0.8, size=means.shape)
  exact = rmig(
    means, FACTORS[:1000], standard_deviations=spread, limits=(-4, 4), num_bins=30
  )
  samples = np.repeat(means, 100, axis=0)
  samples = samples + np.repeat(spread, 100, axis=0) * RNG.normal(size=samples.shape)
  drawn = rmig(
    samples, np.repeat(FACTORS[:1000], 100, axis=0), limits=(-4, 4), num_bins=30
  )
  assert exact["rmig"] == pytest.approx(drawn["rmig"], abs=0.01)
  certain = rmig(means, FACTORS[:1000], standard_deviations=0 * spread)
  assert certain == pytest.approx(rmig(means, FACTORS[:1000]), abs=1e-9)
  assert exact["rmig"] < certain["rmig"]


@pytest.mark.parametrize(
  ("options", "match"),
  [
    ({"standard_deviations": np.ones((3, 2))}, "the shape of codes"),
    ({"standard_deviations": -np.ones((4000, 2))}, "0 or more"),
    ({"limits": (4, -4)}, "the lower first"),
  ],
)
def test_wrong_posteriors(options, match):
  with pytest.raises(UserError, match=match):
    rmig(FACTORS, FACTORS, **options)


def test_falls_from_an_aligned_to_a_turned_and_an_independent_code():
  scores = []
  for case in (1, 2, 3):
    _, arrays = golden_case(case)
    codes, factors = arrays["codes_train"][:3000], arrays["factors_train"][:3000]
    scores.append(rmig(codes, factors)["rmig"])
  assert scores == sorted(scores, reverse=True)
  assert scores[0] > 0.6
