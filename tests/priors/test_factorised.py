import numpy as np
import pytest
import tensorflow_probability as tfp
from scipy import stats
from shared_checks import tiny_model

from disentangle_tf import models, priors
from disentangle_tf.errors import UserError
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


def test_anisotropic_scales_keep_their_proportions_and_average_one():
  scales = priors.AnisotropicNormal([3.0, 2.0, 1.0]).distribution.scale.numpy()
  np.testing.assert_allclose(scales, [1.5, 1.0, 0.5], rtol=1e-5)


def test_what_was_learned_becomes_an_argument():
  prior = priors.AnisotropicNormal([3.0, 2.0, 1.0], learned=True)
  (logits,) = prior.variables
  assert logits.trainable
  logits.assign(np.log([1.0, 1.0, 4.0]))
  trained = prior.as_trained()
  assert not trained.learned and not trained.variables
  np.testing.assert_allclose(trained.scales, [0.5, 0.5, 2.0], rtol=1e-5)
  np.testing.assert_allclose(trained.distribution.scale, [0.5, 0.5, 2.0], rtol=1e-5)


@pytest.mark.parametrize(
  ("make", "message"),
  [
    (lambda: priors.AnisotropicNormal([1.0, -1.0]), "positive number per latent"),
    (lambda: priors.AnisotropicNormal([1.0], learned=0), "AnisotropicNormal.learned"),
    (
      lambda: tiny_model(models.VAE, prior=priors.AnisotropicNormal([1.0, 1.0])),
      r"shape \[2\], the model has 3 latents",
    ),
  ],
)
def test_bad_settings(make, message):
  with pytest.raises(UserError, match=message):
    make()


def test_density_is_a_product_of_student_ts():
  expected = stats.t.logpdf(CODES, df=3).sum(axis=1)
  np.testing.assert_allclose(priors.StudentT(3).log_prob(CODES), expected, rtol=1e-5)


def test_student_t_becomes_the_normal():
  heavy, light = (priors.StudentT(nu).log_prob(CODES) for nu in (1, 1e6))
  normal = priors.IsotropicNormal().log_prob(CODES)
  np.testing.assert_allclose(light, normal, atol=1e-3)
  assert np.abs(heavy - normal).max() > 0.1


def test_student_t_bad_settings():
  with pytest.raises(UserError, match="degrees_of_freedom is 0"):
    priors.StudentT(0)
