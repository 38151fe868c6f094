import numpy as np
import pytest
from model_checks import (
  check_defaults,
  check_terms,
  kl_from_normal,
  make_spread,
  reductions,
  vae_terms,
)
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


@reductions
@pytest.mark.parametrize("per_image", [False, True])
def test_every_term_is_that_of_the_formula(reduction, per_image):
  options = {"gamma": 7.0, "c_max": 20.0, "iteration_threshold": 100}
  model = make_spread(
    models.AnnealedVAE, per_image=per_image, reduction=reduction, **options
  )
  model.optimizer.iterations.assign(40)
  terms, _, means, scales = vae_terms(model)
  each = kl_from_normal(means, scales).sum(axis=1)
  capacity = 20.0 * 40 / 100
  assert each.min() < capacity < each.max()  # where the two formulas differ
  apart = np.abs(each - capacity).mean() if per_image else abs(each.mean() - capacity)
  assert np.abs(each - capacity).mean() > 1.2 * abs(each.mean() - capacity)
  check_terms(
    model, {"reconstruction": terms["reconstruction"], "capacity": 7.0 * apart}
  )


def test_defaults():
  check_defaults(
    models.AnnealedVAE,
    {"gamma": 1000.0, "iteration_threshold": 100_000, "per_image": False},
    c_max=25.0,
  )
