import numpy as np
import pytest

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.metrics import z_max_variance

RNG = np.random.default_rng(0)
SPACE = FactorSpace(("a", "b", "c"), (5, 12, 20))


def test_perfect_codes():
  scores = z_max_variance(SPACE, lambda f: np.tile(f / SPACE.sizes, 2))
  assert scores == {"train_accuracy": 1, "eval_accuracy": 1, "active_latents": 6}


def test_random_codes():
  noise = RNG.normal(size=(SPACE.num_points, 6))
  scores = z_max_variance(SPACE, lambda f: noise[SPACE.to_index(f)])
  assert scores["eval_accuracy"] == pytest.approx(1 / 3, abs=0.08)


def test_the_scale_of_a_latent_does_not_matter():
  scores = z_max_variance(SPACE, lambda f: f * [0.1, 1.0, 10.0] + 0.01 * f[:, ::-1])
  assert scores["eval_accuracy"] == 1


def test_one_latent_tells_nothing():
  scores = z_max_variance(SPACE, lambda f: f[:, :1])
  # It predicts its own factor; the votes of the others are lost.
  assert scores["eval_accuracy"] == pytest.approx(1 / 3, abs=0.06)
  assert scores["active_latents"] == 1


def test_inactive_latents_do_not_vote():
  def codes_of(factors):
    return np.concatenate([factors / 5, 0.001 * factors[:, ::-1]], axis=1)

  assert z_max_variance(SPACE, codes_of)["active_latents"] == 3
  assert z_max_variance(SPACE, codes_of, threshold=0)["active_latents"] == 6
  constant = np.float32(0.3)
  scores = z_max_variance(SPACE, lambda f: 0 * f + constant, threshold=0)
  assert scores == {"train_accuracy": 0, "eval_accuracy": 0, "active_latents": 0}


def test_few_votes():
  scores = z_max_variance(SPACE, lambda f: f / 5, num_train=1, num_eval=1)
  assert 0 <= scores["eval_accuracy"] <= scores["train_accuracy"] == 1
