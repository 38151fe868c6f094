import builtins

import numpy as np
import pytest
from metric_checks import draw_factors, golden_dci

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import dci, dci_lightgbm

NAMES = (
  "disentanglement",
  "completeness",
  "informativeness_train",
  "informativeness_test",
)


def test_it_is_dci_with_lightgbm():
  factors = draw_factors(100, sizes=(3, 3))
  scores = dci_lightgbm(factors, factors, factors, factors)
  expected = dci(factors, factors, factors, factors, predictor="lightgbm")
  assert scores == pytest.approx(expected, abs=1e-9)


def test_lightgbm_that_is_not_installed(monkeypatch):
  real_import = builtins.__import__

  def without(name, *arguments, **options):
    if name == "lightgbm":
      raise ImportError("No module named 'lightgbm'")
    return real_import(name, *arguments, **options)

  monkeypatch.setattr(builtins, "__import__", without)
  with pytest.raises(UserError, match=r'pip install -e "\.\[fast\]"'):
    dci_lightgbm(np.eye(3), np.eye(3), np.eye(3), np.eye(3))


@pytest.mark.slow
@pytest.mark.parametrize("case", "12345")
def test_near_the_golden_scores_of_dci(case):
  points, expected = golden_dci(case)
  scores = dci_lightgbm(*points)
  for name in NAMES:
    assert scores[f"{name}_lightgbm"] == pytest.approx(expected[name], abs=0.025)
