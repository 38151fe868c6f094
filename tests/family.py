"""Every member of the family, tiny, and the batches that it learns from."""

import functools

import keras
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models, networks, priors, schedules
from disentangle_tf.data import draw_pairs, draw_temporal_pairs

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
  "control_vae": functools.partial(tiny_model, models.ControlVAE, kl_target=5.0),
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
