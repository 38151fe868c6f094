import numpy as np
import pytest
from shared_checks import compiled, tiny_data, tiny_model

from disentangle_tf import models
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def _make(**options):
  options = {"gamma": 7.0, "c_max": 25.0, "iteration_threshold": 100, **options}
  return compiled(tiny_model(models.AnnealedVAE, **options))


@pytest.mark.parametrize(("step", "capacity"), [(0, 0.0), (40, 10.0), (300, 25.0)])
def test_the_capacity_grows_and_stays(step, capacity):
  images = Batches(tiny_data(), batch_size=16).make(0)
  model = _make(reduction="sum")
  model.optimizer.iterations.assign(step)
  plain = tiny_model(models.VAE, reduction="sum").loss_terms(images, SEED)
  expected = 7.0 * abs(float(plain["kl"]) - capacity)
  terms = model.loss_terms(images, SEED)
  assert float(terms["capacity"]) == pytest.approx(expected, rel=1e-5)
  np.testing.assert_allclose(
    terms["reconstruction"], plain["reconstruction"], rtol=1e-6
  )


def test_under_the_mean_reduction_it_is_shared_among_the_latents():
  images = Batches(tiny_data(), batch_size=16).make(0)
  by_sum, by_mean = (
    float(_make(reduction=reduction).loss_terms(images, SEED)["capacity"])
    for reduction in ("sum", "mean")
  )
  assert by_mean == pytest.approx(by_sum / 3, rel=1e-5)


def test_bad_settings():
  with pytest.raises(UserError, match="AnnealedVAE.c_max is -1"):
    _make(c_max=-1)
  with pytest.raises(UserError, match="AnnealedVAE.iteration_threshold is 0"):
    _make(iteration_threshold=0)
