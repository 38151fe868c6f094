"""Every number a model is made with is looked at, and the message names it."""

import pytest
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import data, losses, models, networks
from disentangle_tf.errors import UserError

DISCRIMINATOR = {"discriminator": networks.mlp_discriminator(3, units=(4,))}
# A model, settings that it takes, and one that it must not.
BAD = [
  (models.BetaVAE, {}, {"beta": -1}),
  (models.BetaVAE, {}, {"beta": float("nan")}),
  (models.BetaVAE, {}, {"beta": "a"}),
  (models.BetaVAE, {}, {"beta": data.XYSquares}),
  (models.BetaVAE, {}, {"beta": lambda step: step - 1.0}),
  (models.VAE, {}, {"name": 5}),
  (models.AnnealedVAE, {"c_max": 1.0}, {"gamma": -1}),
  (models.AnnealedVAE, {}, {"c_max": float("inf")}),
  (models.AnnealedVAE, {"c_max": 1.0}, {"per_image": "yes"}),
  (models.BetaTCVAE, {}, {"beta": -1}),
  (models.BetaTCVAE, {"beta": 1.0}, {"estimator": "best"}),
  (models.BetaTCVAE, {"beta": 1.0}, {"num_points": 0}),
  (models.DIPVAE, {"dip_type": "i"}, {"lambda_od": -1}),
  (
    models.DecompositionVAE,
    {"beta": 1.0, "aggregate_divergence": losses.MMD()},
    {"alpha": -1},
  ),
  (
    models.DecompositionVAE,
    {"beta": 1.0, "alpha": 1.0},
    {"aggregate_divergence": "mmd"},
  ),
  (models.FactorVAE, DISCRIMINATOR, {"gamma": -1}),
  (models.FactorVAE, {"gamma": 1.0}, {"discriminator": "mlp"}),
  (models.FactorVAE, {"gamma": 1.0, **DISCRIMINATOR}, {"discriminator_optimizer": 3}),
  (models.AdaGVAE, {"beta": 1.0}, {"ratio": -0.1}),
  (models.AdaGVAE, {"beta": 1.0}, {"symmetric": "no"}),
  (models.SlowVAE, {}, {"gamma": -1}),
  (models.SlowVAE, {}, {"rate": -6.0}),
  (models.SlowVAE, {}, {"beta": -1}),
]


@pytest.mark.parametrize(("cls", "good", "bad"), BAD)
def test_a_bad_setting_is_named(cls, good, bad):
  (name,) = bad
  with pytest.raises(UserError, match=name):
    tiny_model(cls, **good, **bad)


@pytest.mark.parametrize(
  ("make", "words"),
  [
    (lambda: losses.Normal(learned="False"), "Normal.learned is 'False'"),
    (lambda: losses.MMD(per_latent=1), "MMD.per_latent is 1: it must be True or"),
    (lambda: losses.MMD(scales=0.1), "MMD.scales is 0.1: it must be a list"),
    (lambda: losses.MMD(scales=()), "MMD.scales is"),
    (lambda: losses.MMD(scales=(1.0, "a")), "MMD.scales is 'a'"),
    (lambda: losses.Bernoulli(epsilon="a"), r"^Bernoulli.epsilon is 'a'"),
    (lambda: losses.ContinuousBernoulli(epsilon=0.5), "epsilon is 0.5.*below 0.5"),
    (lambda: data.XYSquares(grey="no"), "XYSquares.grey is 'no'"),
    (lambda: data.Pinwheel(rate="a"), "Pinwheel.rate is 'a'"),
    (lambda: data.Pinwheel(radial_std=-1), "Pinwheel.radial_std is -1"),
    (lambda: data.Pinwheel(tangential_std=None), "Pinwheel.tangential_std is None"),
    (lambda: data.Pinwheel(seed=None), "Pinwheel.seed is None"),
    (lambda: data.LabelledSet(5), "LabelledSet.data is 5"),
    (
      lambda: data.LabelledSet(tiny_data(), labeller="a"),
      "LabelledSet.labeller is 'a'",
    ),
    (lambda: data.LabelledSet(tiny_data(), seed=-1), "LabelledSet.seed is -1"),
    (lambda: data.labelled_factor_sizes(5), "labelled_factor_sizes.labelled_set is 5"),
    (lambda: data.singular_values(5, 2), "singular_values.data is 5"),
    (lambda: data.singular_values(tiny_data(), 2, seed="a"), "singular_values.seed is"),
  ],
)
def test_a_bad_setting_of_a_part_is_named(make, words):
  with pytest.raises(UserError, match=words):
    make()


@pytest.mark.parametrize(
  "bad", ["a", 5, (1, 2), ((0.5,), (0.0,)), ((0.5,), (float("nan"),)), ((0.5,),) * 3]
)
def test_a_standardisation_is_a_mean_and_a_std(bad):
  with pytest.raises(UserError, match=r"VAE.standardisation is .* \(mean, std\)"):
    models.VAE(*tiny_networks(), losses.MSE(), standardisation=bad)


@pytest.mark.parametrize("bad", ["encoder", "decoder"])
def test_networks_must_be_models(bad):
  parts = dict(zip(("encoder", "decoder"), tiny_networks(), strict=True))
  with pytest.raises(UserError, match=f"VAE.{bad} is 'mlp': it must be a Model"):
    models.VAE(**{**parts, bad: "mlp"}, reconstruction=losses.MSE())
