"""Figure 3 of Mathieu et al. 2019: clusters as a prior, and what alpha and beta do.

Its claims (section 6.2): a larger beta makes encodings overlap more, until they lose
their meaning and the aggregate posterior no longer fits the prior; a larger alpha
always fits it better, and does not make the encodings collapse.
"""

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import compiled

from disentangle_tf import losses, models, networks, priors
from disentangle_tf.data import Batches, Pinwheel
from disentangle_tf.losses.aggregate_posterior import log_mixture_density
from disentangle_tf.random_streams import stream_seed

PRIOR = priors.NormalMixture([[0, 0], [0, 1], [1, 0], [1, 1]], variance=0.03)


def _data(num_points):
  # Spirals, as in the figure: the generator that the paper used calls the spread
  # along the radius, 0.3, the tangential one.
  return Pinwheel(num_points=num_points, radial_std=0.3, tangential_std=0.1)


def _points(data):
  return data.observe(data.factors.to_factors(np.arange(len(data))))


def _trained(make_batch, *, alpha, beta, steps=500):
  """The paper's networks and optimiser."""
  keras.utils.set_random_seed(0)
  model = models.DecompositionVAE(
    networks.mlp_encoder((2,), latents=2, units=(100,)),
    networks.mlp_decoder((2,), latents=2, units=(100,)),
    losses.Normal(scale=0.7),  # where the paper's softplus starts
    prior=PRIOR,
    alpha=alpha,
    beta=beta,
    aggregate_divergence=losses.InclusiveKL(),
    reduction="sum",
  )
  compiled(model, keras.optimizers.Adam(1e-3))

  @tf.function
  def train():
    for step in tf.range(steps):
      model.train_step(make_batch(step))

  train()
  return model


def _measure(model, points):
  """The encodings' scale and information, and KL(p || q) on fresh draws from p."""
  posterior = model.encode(points)
  codes = posterior.sample(20, seed=stream_seed(0, "codes"))  # [20, points, 2]
  own = tf.reduce_mean(tf.reduce_sum(posterior.log_prob(codes), axis=-1))
  aggregate = log_mixture_density(posterior, tf.reshape(codes, [-1, 2]))
  drawn = PRIOR.sample(4000, 2, stream_seed(0, "fresh"))
  return {
    "scale": float(tf.reduce_mean(posterior.scale)),
    "information": float(own - tf.reduce_mean(aggregate)),
    "divergence": float(losses.InclusiveKL()(posterior, codes, PRIOR, drawn)),
  }


def _sweep(make_batch, points, settings):
  """One trained model for each (alpha, beta): {measure: an array over them}."""
  each = [
    _measure(_trained(make_batch, alpha=alpha, beta=beta), points)
    for alpha, beta in settings
  ]
  return {name: np.array([one[name] for one in each]) for name in each[0]}


def _check_beta(sweep):
  assert (np.diff(sweep["scale"]) > 0.02).all()
  assert (np.diff(sweep["information"]) < -0.05).all()
  assert sweep["information"][0] > 3 and sweep["information"][-1] < 0.3
  # Too little overlap and too much of it both miss the prior.
  assert sweep["divergence"][1] < 0.5 * sweep["divergence"][[0, -1]].min()


def _check_alpha(sweep):
  assert sweep["divergence"][-1] < 0.75 * sweep["divergence"][0]
  assert sweep["divergence"][-1] < 0.1
  assert (sweep["information"] > 1).all()


@pytest.mark.slow
def test_beta_overlaps_and_alpha_fits():
  points = _points(_data(200))  # half of the paper's, for a quarter of the time

  def everything(step):
    del step
    return points

  settings = [(0.0, 0.01), (0.0, 0.5), (0.0, 1.2), (5.0, 0.5)]
  sweep = _sweep(everything, points, settings)
  _check_beta({name: values[:3] for name, values in sweep.items()})
  _check_alpha({name: values[[1, 3]] for name, values in sweep.items()})


@pytest.mark.parametrize("divergence", [losses.MMD(), losses.InclusiveKL()])
def test_learns_from_a_last_batch_that_is_smaller(divergence):
  """As many draws from the prior as there are codes, however many those are."""
  model = models.DecompositionVAE(
    networks.mlp_encoder((2,), latents=2, units=(8,)),
    networks.mlp_decoder((2,), latents=2, units=(8,)),
    losses.MSE(),
    prior=PRIOR,
    alpha=1.0,
    beta=1.0,
    aggregate_divergence=divergence,
  )
  dataset = tf.data.Dataset.from_tensor_slices(_points(_data(100))).batch(64)
  history = compiled(model).fit(dataset, verbose=0, shuffle=False).history
  assert np.isfinite(history["aggregate"]).all()


@pytest.mark.slow
def test_the_whole_figure_from_batches():
  """As training runs have it: 400 points per step, drawn with replacement."""
  data = _data(400)
  points, make = _points(data), Batches(data, batch_size=400).make
  _check_beta(_sweep(make, points, [(0.0, beta) for beta in (0.01, 0.5, 1.0, 1.2)]))
  for beta, alphas in ((0.0, (1.0, 3.0, 5.0, 8.0)), (0.5, (0.0, 1.0, 5.0))):
    sweep = _sweep(make, points, [(alpha, beta) for alpha in alphas])
    _check_alpha(sweep)
    assert (np.diff(sweep["divergence"]) < 0.01).all()
