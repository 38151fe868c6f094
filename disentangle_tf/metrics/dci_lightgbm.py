"""DCI with LightGBM's trees: the fast one, with score names of its own."""

import numpy as np

from disentangle_tf.metrics.dci import dci
from disentangle_tf.metrics.parts.directions import higher_is_better


@higher_is_better(
  "disentanglement_lightgbm",
  "completeness_lightgbm",
  "informativeness_train_lightgbm",
  "informativeness_test_lightgbm",
)
def dci_lightgbm(
  codes: np.ndarray,
  factors: np.ndarray,
  test_codes: np.ndarray,
  test_factors: np.ndarray,
  *,
  rng: int | np.random.Generator = 0,
  num_jobs: int = -1,
) -> dict[str, float]:
  """`dci` with LightGBM's trees, many times faster than scikit-learn's.

  Depth 3, 8 leaves, 100 rounds at rate 0.1, as scikit-learn's; but splits are looked
  for between 255 bins, and weighed by second derivatives, so scores differ: by up to
  0.02 on the golden cases of 2,000 points, by 0.03 on that of 10,000. They have names
  of their own and do not compare with published ones.

  Args:
    codes, factors, test_codes, test_factors, rng, num_jobs: as of `dci`.

  Returns:
    {"disentanglement_lightgbm", "completeness_lightgbm",
    "informativeness_train_lightgbm", "informativeness_test_lightgbm"}, floats in
    [0, 1], higher is better, with the edge cases of `dci`.

  Needs labels, and the package LightGBM: pip install -e ".[fast]". Usually
  10,000 points and 5,000 to test. Cost on dSprites' factors: 15 s of CPU, shared by all
  cores.
  """
  return dci(
    codes,
    factors,
    test_codes,
    test_factors,
    predictor="lightgbm",
    rng=rng,
    num_jobs=num_jobs,
  )
