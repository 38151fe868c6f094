import numpy as np
import pytest
import tensorflow as tf
from shared_checks import compiled, tiny_data, tiny_model

from disentangle_tf import models
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def _make(**options):
  options = {"kl_target": 5.0, "reduction": "sum", **options}
  return compiled(tiny_model(models.ControlVAE, **options))


def _images(step=0):
  return Batches(tiny_data(), batch_size=16).make(step)


def _kl(images):
  plain = tiny_model(models.VAE, reduction="sum").loss_terms(images, SEED)
  return float(plain["kl"])


@pytest.mark.parametrize("integral", [0.0, -0.5, -200.0, 3.0])
def test_beta_is_that_of_the_controller(integral):
  model, images = _make(kp=0.2, beta_min=0.1, beta_max=50.0), _images()
  model.integral.assign(integral)
  kl = _kl(images)
  wanted = 0.2 / (1 + np.exp(5.0 - kl)) - integral + 0.1
  beta = min(max(wanted, 0.1), 50.0)
  terms = model.loss_terms(images, SEED)
  assert float(terms["kl"]) == pytest.approx(beta * kl, rel=1e-5)


def test_the_integral_adds_up_errors_unless_beta_is_at_a_limit():
  model = _make(ki=0.5, beta_max=100.0)
  model.integral.assign(-1.0)
  model.train_step(_images())
  error = float(model.error)
  assert error == pytest.approx(5.0 - _kl(_images()), rel=1e-4)
  assert float(model.integral) == pytest.approx(-1.0 + 0.5 * error, rel=1e-6)
  model.integral.assign(-500.0)
  model.train_step(_images(1))
  assert float(model.integral) == -500.0


def test_the_kl_comes_to_the_target():
  """Of a model that trains with beta 1 the KL is another."""
  model = _make(kl_target=4.0, kp=0.1, ki=0.01)
  batches = Batches(tiny_data(), batch_size=64)
  model.fit(batches.dataset(0, 1_500), shuffle=False, verbose=0)
  posterior = model.encode(batches.make(2_000))
  kl = float(np.sum(model.divergence(posterior, posterior.mean()), axis=1).mean())
  assert kl == pytest.approx(4.0, abs=0.4)


def test_bad_settings():
  for options, message in (
    ({"kp": -1}, "ControlVAE.kp is -1"),
    ({"kl_target": -1.0}, "ControlVAE.kl_target is -1"),
    (
      {"beta_min": 2.0, "beta_max": 1.0},
      "ControlVAE.beta_max is 1.0: it must",
    ),
  ):
    with pytest.raises(UserError, match=message):
      _make(**options)


def test_the_state_of_the_controller_is_in_checkpoints(tmp_path):
  """So that a resumed training equals an undisturbed one."""
  model, other = _make(), _make()
  model.integral.assign(-3.0)
  tf.train.Checkpoint(model=model).write(str(tmp_path / "checkpoint"))
  read = tf.train.Checkpoint(model=other).read(str(tmp_path / "checkpoint"))
  read.assert_consumed()
  images = _images()
  assert float(other.integral) == -3.0
  terms = [float(each.loss_terms(images, SEED)["kl"]) for each in (model, other)]
  assert terms[0] == pytest.approx(terms[1], rel=1e-6)
