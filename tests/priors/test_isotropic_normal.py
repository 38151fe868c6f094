import numpy as np
import tensorflow_probability as tfp
from scipy import stats

from disentangle_tf.priors import IsotropicNormal

CODES = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)


def test_density_is_the_standard_normals():
  expected = stats.norm.logpdf(CODES).sum(axis=1)
  np.testing.assert_allclose(IsotropicNormal().log_prob(CODES), expected, rtol=1e-5)


def test_rotations_do_not_change_it():
  rotation = stats.ortho_group.rvs(3, random_state=0).astype(np.float32)
  prior = IsotropicNormal()
  np.testing.assert_allclose(
    prior.log_prob(CODES @ rotation), prior.log_prob(CODES), rtol=1e-5
  )


def test_divergence_is_the_closed_form():
  means, scales = np.array([[0.0, 2.0]]), np.array([[1.0, 0.5]])
  posterior = tfp.distributions.Normal(means.astype("f"), scales.astype("f"))
  found = IsotropicNormal().divergence(posterior, means)
  np.testing.assert_allclose(found, [[0.0, 0.5 * (4 + 0.25 - 1) + np.log(2)]], 1e-6)
