"""The promises of a model, kept by every member of the family."""

import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import run_model_test, tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models, networks, priors, schedules
from disentangle_tf.data import Batches, draw_pairs, draw_temporal_pairs
from disentangle_tf.random_streams import stream_seed

PAIRS = {"draw": draw_pairs}


def _discriminator():
  return networks.mlp_discriminator(3, units=(8, 8))


def _factor_vae(gamma=2.0):
  keras.utils.set_random_seed(1)
  return tiny_model(models.FactorVAE, gamma=gamma, discriminator=_discriminator())


def _pcl():
  keras.utils.set_random_seed(0)
  return models.PCL(
    tiny_networks()[0], latents=3, standardisation=tiny_data().standardisation()
  )


FAMILY = {
  "ae": functools.partial(tiny_model, models.AE),
  "vae": functools.partial(tiny_model, models.VAE, losses.Bernoulli()),
  "beta_vae": functools.partial(
    tiny_model,
    reconstruction=losses.Overlap(losses.MSE(), losses.box_kernel(3), alpha=49),
    beta=schedules.Linear(0.0, 1.0, steps=50),
  ),
  "annealed_vae": functools.partial(
    tiny_model, models.AnnealedVAE, gamma=10.0, c_max=5.0, iteration_threshold=100
  ),
  "factor_vae": _factor_vae,
  "beta_tcvae": functools.partial(tiny_model, models.BetaTCVAE, beta=4.0),
  "beta_tcvae_stratified": functools.partial(
    tiny_model, models.BetaTCVAE, beta=4.0, estimator="stratified", num_points=256
  ),
  "dip_vae_i": functools.partial(
    tiny_model, models.DIPVAE, lambda_od=1.0, dip_type="i"
  ),
  "dip_vae_ii": functools.partial(
    tiny_model, models.DIPVAE, lambda_od=1.0, lambda_d=2.0, dip_type="ii"
  ),
  "mmd": functools.partial(
    tiny_model,
    models.DecompositionVAE,
    alpha=10.0,
    beta=0.5,
    aggregate_divergence=losses.MMD(),
    prior=priors.SparseMixture(0.8),
  ),
  "inclusive_kl": functools.partial(
    tiny_model,
    models.DecompositionVAE,
    alpha=1.0,
    beta=0.5,
    aggregate_divergence=losses.InclusiveKL(),
    prior=priors.NormalMixture([[0, 0, 0], [1, 1, 1]], variance=0.03),
  ),
  "ada_gvae": functools.partial(tiny_model, models.AdaGVAE, beta=0.5),
  "ada_mlvae": functools.partial(tiny_model, models.AdaMLVAE, beta=0.5),
  "slow_vae": functools.partial(tiny_model, models.SlowVAE),
  "pcl": _pcl,
  "learned_scale": lambda: tiny_model(models.VAE, reconstruction=losses.Normal()),
  "learned_prior": lambda: tiny_model(
    prior=priors.AnisotropicNormal([3.0, 2.0, 1.0], learned=True)
  ),
}
BATCHES = {
  "ada_gvae": PAIRS,
  "ada_mlvae": PAIRS,
  "slow_vae": {"draw": draw_temporal_pairs},
  "pcl": {"draw": functools.partial(draw_temporal_pairs, transition="laplace")},
}
UNUSED = {"ae": ["log_variance"], "pcl": ["log_variance"]}


@pytest.mark.parametrize("name", FAMILY)
def test_keeps_the_promises_of_a_model(name, tmp_path, two_replicas):
  run_model_test(
    FAMILY[name],
    tiny_data(),
    tmp_path,
    two_replicas,
    unused=UNUSED.get(name, ()),
    **BATCHES.get(name, {}),
  )


# model, the hyper-parameter's first and second value, and the terms it may change
HYPER_PARAMETERS = [
  ("vae", {"reduction": "mean"}, {"reduction": "sum"}, {"reconstruction", "kl"}),
  ("vae", {}, {"prior": priors.StudentT(3)}, {"kl"}),
  ("beta_vae", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
  ("annealed_vae", {"gamma": 10.0}, {"gamma": 20.0}, {"capacity"}),
  ("factor_vae", {"gamma": 1.0}, {"gamma": 2.0}, {"total_correlation"}),
  ("beta_tcvae", {"beta": 2.0}, {"beta": 3.0}, {"total_correlation"}),
  (
    "beta_tcvae_stratified",
    {"num_points": 256},
    {"num_points": 20},
    {"total_correlation"},
  ),
  (
    "beta_tcvae",
    {},
    {"estimator": "stratified", "num_points": 256},
    {"total_correlation"},
  ),
  ("dip_vae_ii", {"lambda_od": 1.0}, {"lambda_od": 2.0}, {"off_diagonal"}),
  ("dip_vae_ii", {"lambda_d": 1.0}, {"lambda_d": 2.0}, {"diagonal"}),
  ("dip_vae_i", {"lambda_od": 1.0}, {"lambda_od": 2.0}, {"off_diagonal", "diagonal"}),
  ("dip_vae_ii", {"dip_type": "i"}, {"dip_type": "ii"}, {"diagonal"}),
  ("mmd", {"alpha": 1.0}, {"alpha": 2.0}, {"aggregate"}),
  ("mmd", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
  (
    "mmd",
    {"aggregate_divergence": losses.MMD(scales=(1.0,))},
    {"aggregate_divergence": losses.MMD(scales=(2.0,))},
    {"aggregate"},
  ),
  (
    "mmd",
    {"prior": priors.SparseMixture(0.5)},
    {"prior": priors.SparseMixture(0.6)},
    {"aggregate", "kl"},
  ),
  ("ada_gvae", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
  ("ada_gvae", {"ratio": 0.1}, {"ratio": 0.9}, {"reconstruction", "kl"}),
  ("slow_vae", {"gamma": 1.0}, {"gamma": 2.0}, {"transition"}),
  ("slow_vae", {"rate": 1.0}, {"rate": 2.0}, {"transition"}),
  ("slow_vae", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
]


@pytest.mark.parametrize(("name", "first", "second", "changed"), HYPER_PARAMETERS)
def test_a_hyper_parameter_changes_what_it_should(name, first, second, changed):
  batch = Batches(tiny_data(), batch_size=16, **BATCHES.get(name, {})).make(0)
  terms, gradients = {}, {}
  for options in (first, second):
    model = FAMILY[name](**options)
    with tf.GradientTape(persistent=True) as tape:
      terms[str(options)] = model.loss_terms(batch, stream_seed(0, "test"))
    gradients[str(options)] = {
      term: tape.gradient(value, model.encoder.trainable_variables)
      for term, value in terms[str(options)].items()
    }
  (one, other), (ours, theirs) = terms.values(), gradients.values()
  assert set(one) == set(other) >= changed
  for term in one:
    same = [_alike(a, b) for a, b in zip(ours[term], theirs[term], strict=True)]
    assert _alike(one[term], other[term]) == (term not in changed)
    assert all(same) == (term not in changed)


def _alike(first, second):
  """The same but for rounding."""
  return np.allclose(first, second, rtol=1e-5, atol=1e-5 * np.abs(first).max())
