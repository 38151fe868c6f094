import numpy as np
import pytest
from scipy import stats

from disentangle_tf import priors
from disentangle_tf.errors import UserError

CODES = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)


def test_density_is_a_product_of_student_ts():
  expected = stats.t.logpdf(CODES, df=3).sum(axis=1)
  np.testing.assert_allclose(priors.StudentT(3).log_prob(CODES), expected, rtol=1e-5)


def test_student_t_becomes_the_normal():
  heavy, light = (priors.StudentT(nu).log_prob(CODES) for nu in (1, 1e6))
  normal = priors.IsotropicNormal().log_prob(CODES)
  np.testing.assert_allclose(light, normal, atol=1e-3)
  assert np.abs(heavy - normal).max() > 0.1


def test_bad_settings():
  with pytest.raises(UserError, match="degrees_of_freedom is 0"):
    priors.StudentT(0)
