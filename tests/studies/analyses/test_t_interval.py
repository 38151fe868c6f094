import math

import numpy as np
import pytest

from disentangle_tf.studies.analyses import t_interval


def test_a_hundred_values_of_deviation_one():
  values = np.random.default_rng(0).normal(size=100)
  values = 3 + (values - values.mean()) / values.std(ddof=1)
  mean, half = t_interval(values)
  assert mean == pytest.approx(3) and round(half, 5) == 0.19842


@pytest.mark.parametrize(
  ("n", "quantile"), [(3, 4.303), (5, 2.776), (10, 2.262), (50, 2.010), (100, 1.984)]
)
def test_quantiles(n, quantile):
  values = np.arange(float(n))
  half = t_interval(values)[1]
  deviation = values.std(ddof=1)
  assert half * math.sqrt(n) / deviation == pytest.approx(quantile, abs=5e-4)


def test_one_value_has_no_interval():
  assert t_interval([0.5]) == (0.5, None)
