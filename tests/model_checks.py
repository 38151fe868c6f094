"""The whole loss of a model, term by term, against the papers' formulas in NumPy.

TensorFlow gives what the networks make of the images and the uniform numbers behind the
noise; all else is computed once more, here and in each model's own test.
"""

import numpy as np
import pytest
from scipy import stats
from shared_checks import compiled, tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses
from disentangle_tf.data import Batches, draw_temporal_pairs
from disentangle_tf.random_streams import random_uniform, split_seed, stream_seed

SEED = stream_seed(0, "test")
SIZE, LATENTS, PIXELS = 12, 3, 8 * 8 * 2
PAIR = Batches(tiny_data(), batch_size=SIZE, draw=draw_temporal_pairs).make(0)
IMAGES = PAIR[0]
reductions = pytest.mark.parametrize("reduction", ["sum", "mean"])


def make_spread(cls, **options):
  """A compiled model of a class, whose posteriors are `spread`."""
  model = compiled(tiny_model(cls, **options))
  spread(model)
  return model


def spread(model):
  """Moves its posteriors away from the prior, and from each other."""
  rng = np.random.default_rng(0)
  for name in ("mean", "log_variance"):
    kernel, bias = model.encoder.get_layer(name).weights
    kernel.assign(1.5 * np.asarray(kernel))
    bias.assign(rng.normal(0, 0.3, bias.shape))


def posterior_of(model, images):
  """(means, scales) in float64."""
  mean, std = model.standardisation
  values = model.encoder((np.asarray(images) - np.array(mean)) / np.array(std))
  means, log_variances = np.split(np.asarray(values, np.float64), 2, axis=1)
  return means, np.exp(0.5 * log_variances)


def draw_codes(means, scales, seed):
  """Through the quantile function, as `VAE.sample` does, in float64."""
  uniform = np.asarray(random_uniform(means.shape, seed), np.float64)
  return means + scales * stats.norm.ppf(uniform)


def squared_error(model, images, codes):
  """Summed over pixels, averaged over the batch; of standardised images."""
  mean, std = model.standardisation
  targets = (np.asarray(images, np.float64) - np.array(mean)) / np.array(std)
  decoded = np.asarray(model.decoder(codes.astype(np.float32)), np.float64)
  return ((targets - decoded) ** 2).sum(axis=(1, 2, 3)).mean()


def kl_from_normal(means, scales):
  """From the standard normal: [batch, latents]."""
  return 0.5 * (means**2 + scales**2 - 1) - np.log(scales)


def vae_terms(model, images=IMAGES, seed=SEED, posterior=None):
  """({reconstruction, kl} under the sum reduction, codes, means, scales)."""
  means, scales = posterior or posterior_of(model, images)
  codes = draw_codes(means, scales, seed)
  terms = {
    "reconstruction": squared_error(model, images, codes),
    "kl": kl_from_normal(means, scales).sum(axis=1).mean(),
  }
  return terms, codes, means, scales


def pair_terms(model, posteriors, beta=1.0):
  """The mean of both images' terms."""
  each = [
    vae_terms(model, images, split_seed(SEED, place), posterior)[0]
    for images, place, posterior in zip(
      PAIR, ("first", "second"), posteriors, strict=True
    )
  ]
  return {
    "reconstruction": 0.5 * sum(terms["reconstruction"] for terms in each),
    "kl": beta * 0.5 * sum(terms["kl"] for terms in each),
  }


def check_terms(model, expected, batch=IMAGES, *, rtol=1e-4):
  """The terms of a batch are the `expected` ones: sums over pixels and latents."""
  counts = {"reconstruction": PIXELS, "supervised": 1, "contrast": 1}
  if getattr(model, "reduction", "sum") == "mean":
    expected = {k: value / counts.get(k, LATENTS) for k, value in expected.items()}
  found = model.loss_terms(batch, SEED)
  assert set(found) == set(expected)
  for name, value in expected.items():
    assert abs(value) > 1e-3  # a term that is nothing would not be tested
    assert float(found[name]) == pytest.approx(value, rel=rtol), name
  logged = model.test_step(batch)
  np.testing.assert_allclose(
    logged["loss"], sum(float(logged[name]) for name in expected), rtol=1e-5
  )


def check_defaults(cls, expected, **needed):
  """What a model is without settings, but for those that it needs."""
  model = cls(*tiny_networks(), losses.MSE(), **needed)
  for name, value in expected.items():
    assert getattr(model, name) == value, name
