import keras
import numpy as np
import pytest
import tensorflow_probability as tfp

from disentangle_tf import losses, priors
from disentangle_tf.random_streams import stream_seed


@pytest.mark.parametrize(
  "loss",
  [
    losses.MMD(scales=(1.0, 3.0), per_latent=True),
    losses.InclusiveKL(),
    losses.ExclusiveKL(num_points=100),
  ],
)
def test_round_trip(loss):
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert type(again) is type(loss)
  assert again.get_config() == loss.get_config()


RNG = np.random.default_rng(0)


def _codes(count, mean=0.0):
  return RNG.normal(mean, 1.0, (count, 2)).astype(np.float32)


def test_mmd_follows_its_definition():
  codes, drawn = _codes(6), _codes(6, mean=1.0)

  def kernel(a, b):
    squared = ((a - b) ** 2).sum()
    return sum(2 * s / (2 * s + squared) for s in (0.5, 2.0))

  within = np.mean(
    [
      kernel(x[i], x[j])
      for x in (codes, drawn)
      for i in range(6)
      for j in range(6)
      if i != j
    ]
  )
  between = np.mean([kernel(a, b) for a in codes for b in drawn])
  value = losses.MMD(scales=(0.5, 2.0))(None, codes, None, drawn)
  assert float(value) == pytest.approx(2 * within - 2 * between, rel=1e-4)


def test_the_mmd_of_single_latents_adds_up_theirs():
  """A latent on its own is a code of one latent; of one latent the two are the same."""
  codes, drawn = _codes(6), _codes(6, mean=1.0)
  by_latent = losses.MMD(per_latent=True)
  whole = losses.MMD()
  alone = [
    float(whole(None, codes[:, i : i + 1], None, drawn[:, i : i + 1])) for i in (0, 1)
  ]
  assert float(by_latent(None, codes, None, drawn)) == pytest.approx(
    sum(alone), rel=1e-4
  )
  assert float(whole(None, codes, None, drawn)) != pytest.approx(sum(alone), rel=0.1)


def test_the_mmd_of_single_latents_does_not_see_how_they_depend_on_each_other():
  first = _codes(400)[:, :1]
  twice, apart = np.concatenate([first, first], axis=1), _codes(400)
  by_latent = float(losses.MMD(per_latent=True)(None, twice, None, apart))
  whole = float(losses.MMD()(None, twice, None, apart))
  assert abs(by_latent) < 0.04 < 0.05 < whole


def test_defaults_are_the_authors_scales():
  assert losses.MMD().scales == (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
  assert losses.MMD().per_latent is False


def test_mmd_is_unbiased_zero_between_equals_and_grows_apart():
  same = [float(losses.MMD()(None, _codes(50), None, _codes(50))) for _ in range(200)]
  assert abs(np.mean(same)) < 4 * np.std(same) / np.sqrt(200)
  near, far = (
    float(losses.MMD()(None, _codes(200, mean), None, _codes(200)))
    for mean in (0.5, 2.0)
  )
  assert 0.01 < near < far


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


def test_exclusive_kl_is_that_of_two_gaussians():
  """One posterior, so the aggregate is it: KL(N(m, s^2) || N(0, 1)) per latent."""
  mean, scale = np.float32([[0.5, -0.3]]), np.float32([[1.2, 0.8]])
  posterior, prior = tfd.Normal(mean, scale), priors.IsotropicNormal()
  codes = mean + scale * prior.sample(200_000, 2, stream_seed(0, "test"))
  value = losses.ExclusiveKL()(posterior, codes, prior, None)
  closed = np.sum((scale**2 + mean**2 - 1) / 2 - np.log(scale))
  assert float(value) == pytest.approx(closed, rel=0.02)


# q(z|x) = N(z; x, s^2) with x from N(0, 1 - s^2): q(z) is the prior, so both KLs are 0.
_SCALE = 0.5


def _estimates(divergence, batch, *, repeats):
  rng, prior = np.random.default_rng(0), priors.IsotropicNormal()
  values = []
  for _ in range(repeats):
    means = rng.normal(size=(batch, 1)) * np.sqrt(1 - _SCALE**2)
    means = np.float32(means)
    codes = np.float32(means + _SCALE * rng.normal(size=(batch, 1)))
    drawn = np.float32(rng.normal(size=(400, 1)))
    posterior = tfd.Normal(means, np.full_like(means, _SCALE))
    values.append(float(divergence(posterior, codes, prior, drawn)))
  return np.mean(values)


def test_the_inclusive_kl_is_too_large_by_the_variance_of_the_density():
  """log(E Z) - E(log Z) = Var(Z) / (2 Z^2), appendix C of Mathieu et al.

  Here E_p[E_x[q(z|x)^2] / q(z)^2] is 1 / s^2.
  """
  biases = [
    _estimates(losses.InclusiveKL(), batch, repeats=400) for batch in (100, 400)
  ]
  expected = [(1 / _SCALE**2 - 1) / (2 * batch) for batch in (100, 400)]
  np.testing.assert_allclose(biases, expected, rtol=0.2)


def test_the_exclusive_kl_of_a_small_batch_is_biased_though_its_density_is_not():
  """With n images the own posterior has the weight 1/n; the rest may miss the code."""
  few = _estimates(losses.ExclusiveKL(num_points=10_000), 4, repeats=400)
  many = _estimates(losses.ExclusiveKL(num_points=10_000), 400, repeats=40)
  assert few < -0.3 and abs(many) < 0.03
