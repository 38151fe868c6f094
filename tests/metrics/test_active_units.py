import numpy as np
from metric_checks import run_metric_test

from disentangle_tf.metrics import active_units

RNG = np.random.default_rng(0)


def test_promises():
  run_metric_test(
    active_units,
    needs_factors=False,
    perfect={"active_units": 3.0},
    random={"active_units": 6.0},
  )


def test_threshold():
  codes = RNG.normal(size=(5000, 3)) * [1.0, 0.2, 0.05] + 7
  assert active_units(codes) == {"active_units": 2.0}
  assert active_units(codes, threshold=0.1) == {"active_units": 1.0}
