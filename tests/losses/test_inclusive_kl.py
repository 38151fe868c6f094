import numpy as np
import pytest
import tensorflow_probability as tfp

from disentangle_tf import losses, priors
from disentangle_tf.random_streams import stream_seed

tfd = tfp.distributions


def test_inclusive_kl_is_that_of_two_gaussians():
  """One posterior, so the aggregate is it: KL(N(0, 1) || N(m, s^2)) per latent."""
  posterior = tfd.Normal(np.float32([[0.5, -0.3]]), np.float32([[1.2, 0.8]]))
  prior = priors.IsotropicNormal()
  drawn = prior.sample(200_000, 2, stream_seed(0, "test"))
  value = losses.InclusiveKL()(posterior, None, prior, drawn)
  mean, scale = posterior.loc.numpy(), posterior.scale.numpy()
  closed = np.sum(np.log(scale) + (1 + mean**2) / (2 * scale**2) - 0.5)
  assert float(value) == pytest.approx(closed, rel=0.02)
