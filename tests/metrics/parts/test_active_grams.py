import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.active_grams import active_grams

JACOBIANS = np.random.default_rng(0).normal(size=(4, 7, 3)).astype(np.float32)
LOG_VARIANCES = np.log(np.tile([0.1, 0.9, 0.5], (4, 1)))


def test_products_of_the_columns_of_active_latents():
  grams, active = active_grams(JACOBIANS, LOG_VARIANCES)
  assert active.tolist() == [True, False, True]
  kept = JACOBIANS[:, :, [0, 2]].astype(np.float64)
  np.testing.assert_allclose(grams, np.einsum("npi,npj->nij", kept, kept), rtol=1e-12)
  grams, active = active_grams(JACOBIANS, LOG_VARIANCES, threshold=0.05)
  assert not active.any() and grams.shape == (4, 0, 0)


@pytest.mark.parametrize(
  ("jacobians", "log_variances", "words"),
  [
    (JACOBIANS[0], LOG_VARIANCES, r"it must be \[points, pixels, latents\]"),
    (JACOBIANS[:0], LOG_VARIANCES, r"it must be \[points, pixels, latents\]"),
    (JACOBIANS, LOG_VARIANCES[:2], "of the jacobians"),
    (np.nan * JACOBIANS, LOG_VARIANCES, "jacobians contain values that are not finite"),
    (JACOBIANS, np.nan * LOG_VARIANCES, "log_variances contain values that are not"),
  ],
)
def test_what_does_not_fit_is_named(jacobians, log_variances, words):
  with pytest.raises(UserError, match=words):
    active_grams(jacobians, log_variances)
