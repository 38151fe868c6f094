"""The sparse prior makes sparse codes (Mathieu et al. 2019, section 6.3, figure 4)."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import compiled, tiny_data

from disentangle_tf import losses, models, networks, priors
from disentangle_tf.data import Batches
from disentangle_tf.metrics import hoyer

LATENTS = 10


def _score(prior, *, alpha, seed, steps=1500):
  data = tiny_data()
  shape = data.observation_shape
  keras.utils.set_random_seed(seed)
  model = models.DecompositionVAE(
    networks.mlp_encoder(shape, latents=LATENTS, units=(64,)),
    networks.mlp_decoder(shape, latents=LATENTS, units=(64,)),
    losses.Bernoulli(),
    prior=prior,
    alpha=alpha,
    beta=1.0,
    aggregate_divergence=losses.MMD(),
    reduction="sum",
  )
  compiled(model).seed = seed
  batches = Batches(data, batch_size=64, seed=seed)

  @tf.function
  def train():
    for step in tf.range(steps):
      model.train_step(batches.make(step))

  train()
  images = data.observe(data.factors.to_factors(np.arange(len(data))))
  return hoyer(model.encode(images).mean())["hoyer"]


def test_hoyer_of_known_codes():
  rng = np.random.default_rng(0)
  signs = rng.choice([-1.0, 1.0], (1000, 4))
  assert hoyer(signs)["hoyer"] == pytest.approx(0, abs=1e-4)
  one_hot = np.eye(4)[rng.integers(4, size=1000)]
  assert hoyer(one_hot)["hoyer"] == pytest.approx(1, abs=0.01)


def test_a_sparse_prior_makes_sparse_codes():
  normal = _score(priors.IsotropicNormal(), alpha=30.0, seed=0)
  assert _score(priors.SparseMixture(0.8), alpha=30.0, seed=0) > normal + 0.15


@pytest.mark.slow
def test_alpha_makes_codes_sparse_sooner():
  """After as many steps; in the long run the KL alone does it in so small a world."""
  settings = {
    "normal": (priors.IsotropicNormal(), 30.0),
    "without_alpha": (priors.SparseMixture(0.8), 0.0),
    "sparse": (priors.SparseMixture(0.8), 30.0),
  }
  median = {
    name: np.median([_score(prior, alpha=alpha, seed=seed) for seed in range(3)])
    for name, (prior, alpha) in settings.items()
  }
  assert median["normal"] < median["without_alpha"] < median["sparse"] - 0.05
