import numpy as np
import pytest
import tensorflow_probability as tfp
from ada_vae_checks import check_ada_terms
from model_checks import reductions
from shared_checks import tiny_model

from disentangle_tf import models

RNG = np.random.default_rng(0)
MEANS = RNG.normal(size=(2, 50, 3)).astype(np.float32)
SCALES = RNG.uniform(0.3, 1.5, (2, 50, 3)).astype(np.float32)
PAIR = [tfp.distributions.Normal(m, s) for m, s in zip(MEANS, SCALES, strict=True)]


def test_multi_level_posterior_is_the_geometric_mean_of_densities():
  """sqrt(q0 q1), normalised, is the normal with the mean precision."""
  model = tiny_model(models.AdaMLVAE, beta=1.0)
  common = model.common_posterior(*PAIR)
  precision = (1 / SCALES**2).mean(0)
  mean = (MEANS / SCALES**2).mean(0) / precision
  np.testing.assert_allclose(common.variance(), 1 / precision, rtol=1e-5)
  np.testing.assert_allclose(common.mean(), mean, atol=1e-5)
  grid = np.linspace(-3, 3, 7, dtype=np.float32)[:, None, None]
  apart = 0.5 * (PAIR[0].log_prob(grid) + PAIR[1].log_prob(grid))
  constant = apart - common.log_prob(grid)
  np.testing.assert_allclose(constant, constant[:1] + 0 * constant, atol=1e-3)


def _product(first, second):
  """The normalised root of the product."""
  precisions = [1 / scales**2 for _, scales in (first, second)]
  total = precisions[0] + precisions[1]
  mean = (precisions[0] * first[0] + precisions[1] * second[0]) / total
  return mean, np.sqrt(2 / total)


@reductions
@pytest.mark.parametrize("symmetric", [True, False])
def test_every_term_is_that_of_the_formula(reduction, symmetric):
  check_ada_terms(models.AdaMLVAE, _product, reduction=reduction, symmetric=symmetric)
