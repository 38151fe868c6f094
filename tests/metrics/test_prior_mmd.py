import numpy as np
import pytest
import tensorflow as tf

from disentangle_tf import losses, metrics
from disentangle_tf.errors import UserError


def test_two_points_by_hand():
  """Codes at 0 and a prior at 3: within 1 + 1, between 2 / (2 + 9), for s = 1."""
  found = metrics.prior_mmd(np.zeros((2, 1)), np.full((2, 1), 3.0), scales=(1.0,))
  assert found["prior_mmd"] == pytest.approx(2 - 2 * 2 / 11)


@pytest.mark.parametrize("per_latent", [False, True])
def test_equals_the_divergence_that_is_trained(per_latent):
  rng = np.random.default_rng(0)
  codes = rng.normal(0.3, 1.2, (50, 4)).astype(np.float32)
  drawn = rng.normal(size=(50, 4)).astype(np.float32)
  trained = losses.MMD(per_latent=per_latent)(
    None, tf.constant(codes), None, tf.constant(drawn)
  )
  found = metrics.prior_mmd(codes, drawn, per_latent=per_latent)["prior_mmd"]
  assert found == pytest.approx(float(trained), abs=1e-5)


def test_is_zero_on_average_if_codes_are_of_the_prior():
  rng = np.random.default_rng(0)
  found = [
    metrics.prior_mmd(*rng.normal(size=(2, 100, 3)))["prior_mmd"] for _ in range(40)
  ]
  error = np.std(found) / np.sqrt(40)
  assert abs(np.mean(found)) < 3 * error and min(found) < 0 < max(found)
  assert metrics.prior_mmd(*(rng.normal(size=(2, 100, 3)) * [[[1]], [[3]]]))[
    "prior_mmd"
  ] > 10 * np.std(found)


def test_shapes_that_differ():
  with pytest.raises(UserError, match="must have the same shape"):
    metrics.prior_mmd(np.zeros((3, 2)), np.zeros((4, 2)))
