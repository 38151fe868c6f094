import functools

import numpy as np
import pytest
from study_tables import made_up_study, row_of, run_analysis_test

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import Contrast, seed_contrast, verdict
from disentangle_tf.studies.results_table import results_table

_DIFFERENCE = [(1, {"method": "overlap"}), (-1, {"method": "MSE"})]


def _table(values, *, score="mig"):
  """Of {(method, beta, seed): value}."""
  return results_table(
    row_of("xysquares", method, 0, seed, score, value, setting=f"BETA={beta}")
    for (method, beta, seed), value in values.items()
  )


def _both_losses(seeds=6):
  rng = np.random.default_rng(3)
  return {
    (method, beta, seed): float(rng.normal(0.5 if method == "overlap" else 0.3, 0.1))
    for method in ("MSE", "overlap")
    for beta in (0.1, 1)
    for seed in range(seeds)
  }


def _paired(values, best, seeds):
  return np.array(
    [
      best(values["overlap", beta, seed] for beta in (0.1, 1))
      - best(values["MSE", beta, seed] for beta in (0.1, 1))
      for seed in seeds
    ]
  )


def test_promises():
  groups = [
    (1, {"method": "FactorVAE", "data": "dsprites"}),
    (-1, {"method": "beta-VAE"}),
  ]
  analysis = functools.partial(seed_contrast, groups=groups, score="mig", resamples=50)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=6))


def test_the_best_setting_of_each_seed_counts():
  values = _both_losses()
  found = seed_contrast(_table(values), _DIFFERENCE, score="mig")
  each = _paired(values, max, range(6))
  assert found.value == pytest.approx(each.mean())
  assert (found.seeds, found.incomplete) == (6, 0)
  lower = seed_contrast(
    _table(values, score="reconstruction_error"), _DIFFERENCE,
    score="reconstruction_error",
  )  # fmt: skip
  assert lower.value == pytest.approx(_paired(values, min, range(6)).mean())


def test_the_interval_is_that_of_resampled_seeds():
  values = _both_losses()
  found = seed_contrast(_table(values), _DIFFERENCE, score="mig", resamples=20_000)
  each = _paired(values, max, range(6))
  # All 6^6 resamples, counted.
  every = each[np.indices([6] * 6).reshape(6, -1)].mean(axis=0)
  low, high = np.percentile(every, [2.5, 97.5])
  assert found.low == pytest.approx(low, abs=0.003)
  assert found.high == pytest.approx(high, abs=0.003)


def test_a_slope_over_a_setting():
  table = results_table(
    row_of("", "beta-VAE", 0, seed, "mig", 0.9 - 0.2 * gap + 0.01 * seed * (beta == 1),
           setting=f"data.XYSquares.grid_spacing={gap}, BETA={beta}")
    for gap in (1, 2, 3) for beta in (0.1, 1) for seed in range(5)
  )  # fmt: skip
  gaps = [{"setting": f"data.XYSquares.grid_spacing={gap}"} for gap in (1, 2, 3)]
  slope = list(zip((-0.5, 0, 0.5), gaps, strict=True))
  found = seed_contrast(table, slope, score="mig")
  assert found.value == pytest.approx(-0.2) and found.high == pytest.approx(-0.2)
  # BETA=1 is not BETA=10.
  assert seed_contrast(table, [(1, {"setting": "BETA=1"})], score="mig").seeds == 5
  assert seed_contrast(table, [(1, {"setting": "BETA=10"})], score="mig").seeds == 0


def test_a_seed_that_lacks_a_model_does_not_count():
  values = _both_losses()
  del values["overlap", 1, 2]
  found = seed_contrast(_table(values), _DIFFERENCE, score="mig")
  assert (found.seeds, found.incomplete) == (5, 1)
  assert found.value == pytest.approx(_paired(values, max, (0, 1, 3, 4, 5)).mean())
  nothing = seed_contrast(_table(values), [(1, {"method": "none"})], score="mig")
  assert nothing == Contrast(None, None, None, 0, 6) and nothing.direction == 0


def _contrast(low, high, seeds=5):
  return Contrast((low + high) / 2, low, high, seeds, 0)


def test_verdicts():
  above, below, across = _contrast(0.1, 0.2), _contrast(-2, -1), _contrast(-1, 1)
  assert [each.direction for each in (above, below, across)] == [1, -1, 0]
  assert verdict([above]) == verdict([above, above]) == "shown"
  assert verdict([above, across]) == verdict([across]) == "not shown"
  assert verdict([above, across, below]) == "contradicted"
  few = [_contrast(0.1, 0.2, seeds=4)]
  assert verdict(few) == "not shown" and verdict(few, least_seeds=4) == "shown"
  assert verdict([above, Contrast(None, None, None, 0, 3)]) == "not shown"


def test_unknown_columns_are_refused():
  with pytest.raises(UserError, match="has no 'methods'; did you mean 'method'"):
    seed_contrast(_table(_both_losses()), [(1, {"methods": "MSE"})], score="mig")
