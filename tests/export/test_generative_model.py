"""Evidence in nats, of models whose likelihood has a closed form."""

import json
import shutil

import keras
import numpy as np
import pytest
from scipy import stats
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, metrics, models, networks, priors
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import evaluate
from disentangle_tf.export import write_export
from disentangle_tf.export.generative_model import (
  generative_config,
  generative_model_from_config,
)
from disentangle_tf.export.model_description import model_to_config
from disentangle_tf.random_streams import stream_seed
from disentangle_tf.scoring import Measurement

DATA = tiny_data()
IMAGES = DATA.observe(DATA.factors.to_factors(np.arange(len(DATA)))).numpy()
PIXELS = 8 * 8 * 2


def _config(model):
  """As a manifest of today tells it."""
  return generative_config({"contract_version": 2, "model": model_to_config(model)})


def _evaluated(model, tmp_path, *, folder="export"):
  write_export(model, tmp_path / folder, data=DATA)
  return evaluate(
    model=tmp_path / folder,
    measurements=[Measurement(metrics.evidence, num_points="all")],
    output_dir=tmp_path / f"scores_of_{folder}",
    trusted=True,
  )


def _linear_model(**options):
  keras.utils.set_random_seed(0)
  return models.VAE(
    networks.linear_encoder((8, 8, 2), latents=3),
    networks.linear_decoder((8, 8, 2), latents=3),
    losses.Normal(scale=0.4),
    standardisation=DATA.standardisation(),
    reduction="sum",
    **options,
  )


def test_the_bound_of_a_linear_model_is_its_closed_form(tmp_path):
  """E|x - W z - b|^2 is |x - W m - b|^2 + sum over latents of s_j^2 |w_j|^2."""
  model = _linear_model()
  model.reconstruction.log_scale.assign(np.log(0.7))  # as if it had been learned
  model.encoder.get_layer("log_variance").weights[0].assign([2.0, 2.5, 1.5])
  kernel, bias = (np.asarray(w, np.float64) for w in model.decoder.weights)
  posterior = model.encode(IMAGES)
  means, scales = (np.asarray(x, np.float64) for x in (posterior.loc, posterior.scale))
  mean, std = DATA.standardisation()
  targets = ((IMAGES - mean) / std).reshape(len(IMAGES), -1)
  at_mean = ((targets - means @ kernel - bias) ** 2).sum(axis=1)
  spread = scales**2 @ (kernel**2).sum(axis=1)
  constant = PIXELS * (np.log(0.7) + 0.5 * np.log(2 * np.pi))
  nats = (at_mean + spread) / (2 * 0.7**2) + constant
  kl = (0.5 * (means**2 + scales**2 - 1) - np.log(scales)).sum(axis=1)
  result = _evaluated(model, tmp_path)
  scores = result["scores"]
  assert scores["kl"] == pytest.approx(kl.mean(), rel=1e-4)
  # One draw per image: its error is measured on a thousand others.
  rng = np.random.default_rng(0)
  draws = [
    ((targets - rng.normal(means, scales) @ kernel - bias) ** 2).sum(axis=1).mean()
    for _ in range(1000)
  ]
  error = np.std(draws) / (2 * 0.7**2)
  assert abs(scores["reconstruction_nats"] - nats.mean()) < 4 * error
  assert spread.mean() / (2 * 0.7**2) > 8 * error  # means alone differ
  assert scores["elbo"] == pytest.approx(
    -scores["reconstruction_nats"] - scores["kl"], rel=1e-6
  )
  decoded = (means @ kernel + bias).reshape(IMAGES.shape)
  reconstructed = np.clip(decoded * std + mean, 0, 1)
  assert scores["reconstruction_error"] == pytest.approx(
    np.mean((IMAGES - reconstructed) ** 2), rel=1e-4
  )
  assert "evidence in nats" not in result["skipped"]
  told = result["model"]["generative_model"]
  assert told["likelihood"]["class"] == "Normal"
  assert "sampled" in result["settings"]["evidence"]["log_likelihoods"]
  assert told["likelihood"]["arguments"]["scale"] == pytest.approx(0.7)


def _sure(model):
  """Posteriors so narrow that a draw is their mean."""
  kernel, bias = model.encoder.get_layer("log_variance").weights
  kernel.assign(0 * np.asarray(kernel))
  bias.assign(np.full(3, -30.0))
  return model


@pytest.mark.parametrize(
  ("loss", "log_likelihood"),
  [
    (losses.Bernoulli(), lambda x, logits: stats.bernoulli.logpmf(x, _sigmoid(logits))),
    (
      losses.ContinuousBernoulli(),
      lambda x, s: s * x - np.log(np.expm1(s) / s),  # the density exp(s x), normalised
    ),
  ],
  ids=["Bernoulli", "ContinuousBernoulli"],
)
def test_nats_of_logits_are_exact_where_probabilities_round(
  loss, log_likelihood, tmp_path
):
  model = _sure(tiny_model(models.VAE, reconstruction=loss, reduction="sum"))
  for layer in model.decoder.layers[-2:]:
    for weight in layer.weights:
      weight.assign(8 * np.asarray(weight))  # logits up to 20 and more
  codes = model.encode(IMAGES).mean()
  logits = np.asarray(model.decode(codes), np.float64)
  expected = log_likelihood(np.round(IMAGES).astype(float), logits)
  scores = _evaluated(model, tmp_path)["scores"]
  assert scores["reconstruction_nats"] == pytest.approx(
    -expected.reshape(len(IMAGES), -1).sum(axis=1).mean(), rel=1e-4
  )


def _sigmoid(logits):
  return 1 / (1 + np.exp(-logits))


def test_it_is_the_training_loss_of_the_plain_vae(tmp_path):
  model = _sure(tiny_model(models.VAE, losses.Bernoulli(), reduction="sum"))
  terms = model.loss_terms(IMAGES, stream_seed(0, "x"))
  scores = _evaluated(model, tmp_path)["scores"]
  assert scores["reconstruction_nats"] == pytest.approx(
    float(terms["reconstruction"]), rel=1e-4
  )
  assert scores["kl"] == pytest.approx(float(terms["kl"]), rel=1e-4)


def test_kl_is_from_the_models_own_prior(tmp_path):
  prior = priors.AnisotropicNormal([1.0, 1.0, 1.0], learned=True)
  prior.variables[0].assign(np.log([2.0, 1.0, 0.5]).astype(np.float32))
  model = tiny_model(models.VAE, losses.Bernoulli(), prior=prior)
  wide = np.array([2.0, 1.0, 0.5]) * 3 / 3.5
  posterior = model.encode(IMAGES)
  means, scales = np.asarray(posterior.loc), np.asarray(posterior.scale)
  each = np.log(wide / scales) + (scales**2 + means**2) / (2 * wide**2) - 0.5
  scores = _evaluated(model, tmp_path)["scores"]
  assert scores["kl"] == pytest.approx(each.sum(axis=1).mean(), rel=1e-4)


def test_without_a_closed_form_the_kl_is_estimated(tmp_path):
  model = tiny_model(models.VAE, losses.Bernoulli(), prior=priors.StudentT(4.0))
  posterior = model.encode(IMAGES)
  means, scales = np.asarray(posterior.loc), np.asarray(posterior.scale)
  drawn = np.random.default_rng(0).normal(means, scales, (400, *means.shape))
  ratio = stats.norm.logpdf(drawn, means, scales) - stats.t.logpdf(drawn, 4.0)
  each = ratio.sum(axis=2).mean(axis=1)
  scores = _evaluated(model, tmp_path)["scores"]
  assert abs(scores["kl"] - each.mean()) < 5 * each.std()


NO_LIKELIHOOD = {
  "MSE is not a known likelihood": lambda: tiny_model(models.VAE),
  "Overlap is not a known likelihood": lambda: tiny_model(
    models.VAE, losses.Overlap(losses.Normal(), losses.box_kernel(1), alpha=1.0)
  ),
  "the model has no prior": lambda: tiny_model(models.AE, losses.Bernoulli()),
}


@pytest.mark.parametrize("reason", NO_LIKELIHOOD)
def test_what_is_no_likelihood_gives_no_nats_and_says_why(reason, tmp_path):
  result = _evaluated(NO_LIKELIHOOD[reason](), tmp_path)
  assert set(result["scores"]) == {"reconstruction_error", "kl"}
  assert reason in result["skipped"]["evidence in nats"]


def _with_manifest(folder, target, change):
  shutil.copytree(folder, target)
  path = target / "manifest.json"
  manifest = json.loads(path.read_text())
  change(manifest)
  path.write_text(json.dumps(manifest))
  return target


def test_an_export_that_does_not_say_gives_the_squared_error_alone(tmp_path):
  model = tiny_model(models.VAE, losses.Bernoulli())
  write_export(model, tmp_path / "export", data=DATA)
  older = _with_manifest(
    tmp_path / "export", tmp_path / "older", lambda m: m.pop("model")
  )
  result = evaluate(
    model=older,
    measurements=[Measurement(metrics.evidence, num_points=10)],
    output_dir=tmp_path / "scores",
    trusted=True,
  )
  assert set(result["scores"]) == {"reconstruction_error", "kl"}
  assert "does not say" in result["skipped"]["evidence in nats"]


@pytest.mark.parametrize(
  ("part", "told"),
  [
    ("likelihood", {"class": "Overlap", "arguments": {}}),
    ("likelihood", {"class": "keras.models.load_model", "arguments": {}}),
    ("likelihood", {"class": "Normal", "arguments": {"scale": -1}}),
    ("likelihood", {"class": "Normal"}),
    ("likelihood", "Normal"),
    ("prior", {"class": "TfpPrior", "arguments": {"distribution": {"class": "x"}}}),
    ("prior", {"class": "StudentT", "arguments": {"nu": 3}}),
  ],
)
def test_only_listed_classes_are_built(part, told):
  config = _config(tiny_model(models.VAE, losses.Bernoulli()))
  generative_model_from_config(config, lambda codes: codes)
  with pytest.raises(UserError):
    generative_model_from_config({**config, part: told}, lambda codes: codes)


def test_every_likelihood_and_prior_survives_the_manifest():
  images = Batches(DATA, batch_size=4).make(0).numpy()
  made = [
    priors.IsotropicNormal(),
    priors.StudentT(3.0),
    priors.SparseMixture(0.7),
    priors.NormalMixture([[0, 0, 0], [1, 1, 1]], variance=0.03),
    priors.AnisotropicNormal([3.0, 2.0, 1.0]),
  ]
  kinds = [losses.Bernoulli(), losses.ContinuousBernoulli(), losses.Normal(scale=0.3)]
  for prior in made:
    for loss in kinds:
      model = models.VAE(*tiny_networks(), loss, prior=prior)
      config = json.loads(json.dumps(_config(model)))
      again = generative_model_from_config(config, model.decode)
      codes = model.encode(images).mean().numpy()
      expected = -loss(images, model.decode(codes)).numpy().reshape(4, -1).sum(axis=1)
      np.testing.assert_allclose(
        again.log_likelihoods(images, codes), expected, rtol=1e-5
      )
      np.testing.assert_allclose(
        again.prior.log_prob(codes), prior.log_prob(codes), rtol=1e-5, atol=1e-5
      )


def _of_class(name, **arguments):
  return {"class": name, "arguments": arguments}


HONEST = {
  "likelihood": _of_class("Normal", scale=1.0, learned=False),
  "prior": _of_class("IsotropicNormal"),
  "standardisation": None,
}
FITS_NOTHING = {
  "a scale that is a text": {"likelihood": _of_class("Normal", scale="x")},
  "no scale": {"likelihood": _of_class("Normal", scale=1e-320, learned=False)},
  "scales of other latents": {"prior": _of_class("AnisotropicNormal", scales=[1, 1])},
  "a text for scales": {"prior": _of_class("AnisotropicNormal", scales="xyz")},
  "a point that is none": {"prior": _of_class("NormalMixture", means=[1], variance=1)},
  "points of other sizes": {
    "prior": _of_class("NormalMixture", means=[[1, 2], [3]], variance=1)
  },
  "a number that is none": {"prior": _of_class("StudentT", degrees_of_freedom=10**400)},
  "a standardisation that is none": {"standardisation": {"mean": 1}},
  "a standardisation of other channels": {"standardisation": [[0] * 7, [1] * 7]},
  "a standardisation by 0": {"standardisation": [[0, 0], [0, 0]]},
  "an unknown class": {"likelihood": _of_class("\x1b[2JLaplace")},
}


@pytest.mark.parametrize("case", FITS_NOTHING)
def test_a_foreign_configuration_must_fit(case):
  def made(config):
    generative_model_from_config(config, lambda codes: codes).try_out((8, 8, 2), 3)

  made(HONEST)
  with pytest.raises(UserError) as caught:
    made(HONEST | FITS_NOTHING[case])
  assert str(caught.value).isprintable() and len(str(caught.value)) < 400


def test_an_export_of_version_1_gives_the_nats_that_it_gave(golden_folder, tmp_path):
  folder = golden_folder / "exports"
  expected = json.loads(str(np.load(folder / "version_1.npz")["evidence"]))
  result = evaluate(
    model=folder / "version_1",
    measurements=[Measurement(metrics.evidence, num_points="all")],
    output_dir=tmp_path / "scores",
    trusted=True,
  )
  assert result["scores"] == pytest.approx(expected, rel=1e-4)
  assert {"reconstruction_nats", "elbo"} <= set(expected)


def test_of_a_loss_that_is_no_likelihood_only_the_name_is_recorded():
  blurred = losses.Overlap(losses.MSE(), losses.box_kernel(1))
  config = _config(tiny_model(models.VAE, blurred))
  assert config["likelihood"] == {"class": "Overlap", "arguments": None}
  assert config["prior"] == {"class": "IsotropicNormal", "arguments": {}}
  assert generative_config({}) is None
