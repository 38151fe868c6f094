import numpy as np
import pytest
from scipy import stats

from disentangle_tf import priors
from disentangle_tf.errors import UserError

CODES = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
MEANS = ([0, 0, 1], [1, 0, 0])


def test_mixtures_have_the_density_of_their_formula():
  prior = priors.NormalMixture(MEANS, variance=0.3)
  clusters = [stats.norm.pdf(CODES, mean, np.sqrt(0.3)).prod(1) for mean in MEANS]
  expected = np.mean(clusters, axis=0)
  np.testing.assert_allclose(np.exp(prior.log_prob(CODES)), expected, rtol=1e-4)


@pytest.mark.parametrize(
  ("make", "message"),
  [
    (lambda: priors.NormalMixture([0, 1], variance=1), "list of points"),
    (lambda: priors.NormalMixture([[0, 1]], variance=0), "variance is 0"),
  ],
)
def test_bad_settings(make, message):
  with pytest.raises(UserError, match=message):
    make()


def test_sparse_mixture_mixtures_have_the_density_of_their_formula():
  prior = priors.SparseMixture(0.7, off_scale=0.2)
  expected = 0.3 * stats.norm.pdf(CODES) + 0.7 * stats.norm.pdf(CODES, 0, 0.2)
  np.testing.assert_allclose(np.exp(prior.log_prob(CODES)), expected.prod(1), rtol=1e-4)


def test_with_no_latents_off_it_is_the_normal():
  normal = priors.IsotropicNormal().log_prob(CODES)
  np.testing.assert_allclose(priors.SparseMixture(0).log_prob(CODES), normal, rtol=1e-5)


@pytest.mark.parametrize(
  ("make", "message"),
  [
    (lambda: priors.SparseMixture(1.5), "gamma is 1.5"),
    (lambda: priors.SparseMixture("a"), "SparseMixture.gamma is 'a'"),
    (lambda: priors.SparseMixture(0.5, off_scale=0), "off_scale is 0"),
  ],
)
def test_sparse_mixture_bad_settings(make, message):
  with pytest.raises(UserError, match=message):
    make()
