import numpy as np
from supervision_checks import CODES, FIRST, LABELS, SIZES

from disentangle_tf.supervision import Covariance


def test_covariance_with_the_labels_of_others():
  covariance = np.cov(FIRST.T, LABELS.T, ddof=0)[:3, 3:]
  np.fill_diagonal(covariance, 0)
  expected = (covariance**2).sum()
  np.testing.assert_allclose(Covariance(1.0, SIZES)(CODES, LABELS), expected, 1e-5)


def test_codes_that_vary_with_their_own_label_only_have_no_covariance_with_others():
  grid = np.stack(np.meshgrid([0, 1, 2], [0, 1], indexing="ij"), -1).reshape(-1, 2)
  loss = Covariance(1.0, (3, 2))
  np.testing.assert_allclose(loss(grid.astype(np.float32), grid), 0, atol=1e-12)
  assert loss(grid[:, ::-1].astype(np.float32), grid) > 0.1
