import numpy as np
import pytest
from metric_checks import check_is_scores

from disentangle_tf import metrics
from disentangle_tf.errors import UserError

RNG = np.random.default_rng(0)
SAMPLES = 200_000


def _parts(decode, means, scales, images, samples=SAMPLES):
  """Of codes [points, latents] and a decoder of (codes) -> [..., pixels]."""
  means, scales = np.asarray(means), np.asarray(scales)
  codes = means + scales * RNG.normal(size=(samples, *means.shape))
  return metrics.reconstruction_parts(images, decode(means), decode(codes))


def test_the_parts_sum_to_the_error_of_the_samples():
  images, means = RNG.normal(size=(2, 6, 4, 4, 3))
  samples = RNG.normal(size=(5, 6, 4, 4, 3))
  found = metrics.reconstruction_parts(images, means, samples)
  check_is_scores(found)
  error = np.square(samples - images).sum(axis=(2, 3, 4)).mean()
  assert found["sampled_error"] == pytest.approx(error)
  parts = ("deterministic_error", "stochastic_error", "curvature_error")
  assert found["sampled_error"] == pytest.approx(sum(found[name] for name in parts))


def test_a_linear_decoder_has_no_curvature():
  """The noise is the sum over latents of sigma^2 |W_j|^2."""
  columns = RNG.normal(size=(3, 5))
  scales = np.array([[0.3, 0.5, 0.1]])
  images = np.ones((1, 5))
  means = np.array([[0.2, -1.0, 0.4]])
  found = _parts(lambda codes: codes @ columns, means, scales, images)
  noise = (scales**2 @ np.square(columns).sum(axis=1)).item()
  assert found["stochastic_error"] == pytest.approx(noise, rel=0.01)
  assert found["curvature_error"] == pytest.approx(0, abs=0.02)
  left = np.square(means @ columns - images).sum()
  assert found["deterministic_error"] == pytest.approx(left)


def test_a_parabola():
  """g(z) = (z, c z^2): s^2 + c^2 (4 m^2 s^2 + 3 s^4), and 2 c s^2 (c m^2 - x_2)."""

  def decode(codes):
    return np.concatenate([codes, 0.7 * codes**2], axis=-1)

  found = _parts(decode, [[0.5]], [[0.3]], np.array([[0.2, 1.1]]))
  assert found["stochastic_error"] == pytest.approx(0.146007, rel=0.02)
  assert found["curvature_error"] == pytest.approx(-0.116550, rel=0.02)


def test_a_wave():
  """g(z) = a sin kz, whose mean is shrunk by exp(-k^2 s^2 / 2)."""
  size, rate, mean, scale, image = 1.3, 2.0, 0.6, 0.4, 0.1
  shrunk = np.exp(-(rate**2) * scale**2 / 2)
  sine, cosine = np.sin(rate * mean), np.cos(2 * rate * mean)
  noise = 0.5 * (1 - shrunk**4 * cosine) + (1 - 2 * shrunk) * sine**2
  curvature = 2 * size * (shrunk - 1) * sine * (size * sine - image)
  found = _parts(
    lambda codes: size * np.sin(rate * codes), [[mean]], [[scale]], np.array([[image]])
  )
  assert found["stochastic_error"] == pytest.approx(size**2 * noise, rel=0.02)
  assert found["curvature_error"] == pytest.approx(curvature, rel=0.02)


def test_a_deterministic_encoder_has_one_part():
  images, means = RNG.normal(size=(2, 6, 3))
  found = metrics.reconstruction_parts(images, means, np.stack([means, means]))
  assert found["stochastic_error"] == found["curvature_error"] == 0
  assert found["sampled_error"] == found["deterministic_error"]


@pytest.mark.parametrize("shape", [(6, 3), (2, 5, 3), (0, 6, 3)])
def test_shapes_that_do_not_fit(shape):
  images = np.zeros((6, 3))
  with pytest.raises(UserError, match="decoded_samples"):
    metrics.reconstruction_parts(images, images, np.zeros(shape))
