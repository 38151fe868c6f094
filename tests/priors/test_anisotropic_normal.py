import numpy as np
import pytest
from shared_checks import tiny_model

from disentangle_tf import models, priors
from disentangle_tf.errors import UserError


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
