import itertools

import keras
import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import DSprites, FactorTable, XYSquares
from disentangle_tf.errors import UserError
from disentangle_tf.losses import (
  MAE,
  MSE,
  Bernoulli,
  FeatureLoss,
  Overlap,
  SigmoidMSE,
  box_kernel,
  gaussian_kernel,
)
from disentangle_tf.perceived import factor_importance
from disentangle_tf.perceived.importance import can_be_exact, draw_factor_pairs

OVERLAPPING = tiny_data(grid_spacing=1, image_size=6)  # three positions per factor
OVERLAP = Overlap(MSE(), box_kernel(3), alpha=49)


def feature_loss():
  keras.utils.set_random_seed(0)
  images = keras.Input(OVERLAPPING.observation_shape)
  hidden = keras.layers.Conv2D(4, 3, strides=2, activation="relu")(images)
  return FeatureLoss(MSE(), keras.Model(images, [hidden, hidden**2]), weight=3.0)


def brute_force(data, loss, pairs):
  """Mean and standard deviation over pairs of points."""
  first, second = (data.observe(np.array(part)) for part in zip(*pairs, strict=True))
  distances = np.mean(loss.distance(first, second), axis=(1, 2, 3))
  return distances.mean(), distances.std()


def pairs_along(space, factor):
  points = space.to_factors(np.arange(space.num_points))
  for point in points[points[:, factor] == 0]:
    yield from itertools.permutations(space.traversal(point, factor), 2)


@pytest.mark.parametrize(
  "loss",
  [
    MSE(),
    SigmoidMSE(),
    OVERLAP,
    Overlap(OVERLAP, gaussian_kernel(2), alpha=5.0),
    feature_loss(),
  ],
  ids=["mse", "sigmoid_mse", "overlap", "overlap_twice", "features"],
)
def test_exact_is_every_pair(loss):
  data = OVERLAPPING
  found = factor_importance(data, loss, num_pairs=100)
  for factor, name in enumerate(data.factors.names):
    mean, std = brute_force(data, loss, list(pairs_along(data.factors, factor)))
    assert found["factors"][name]["exact"]
    assert found["factors"][name]["mean"] == pytest.approx(mean, rel=1e-5)
    assert found["factors"][name]["std"] == pytest.approx(std, rel=1e-3, abs=1e-7)


def test_the_random_mean_is_that_of_all_pairs():
  data = tiny_data(num_squares=1, grid_spacing=1)
  points = data.factors.to_factors(np.arange(len(data)))
  mean, _ = brute_force(data, OVERLAP, list(itertools.permutations(points, 2)))
  found = factor_importance(data, OVERLAP, num_pairs=100)["random"]
  assert found["mean"] == pytest.approx(mean, rel=1e-5)
  assert found["mean_error"] == 0 and found["std_error"] > 0 and not found["exact"]


@pytest.mark.parametrize("loss", [MSE(), OVERLAP], ids=["mse", "overlap"])
def test_estimates_are_within_their_errors(loss):
  data = XYSquares(image_size=12, square_size=3, grid_spacing=1, num_squares=2)
  exact = factor_importance(data, loss, num_pairs=3000)
  sampled = factor_importance(data, loss, num_pairs=3000, exact=False, rng=1)
  for name, row in sampled["factors"].items():
    assert not row["exact"]
    for kind in ("mean", "std"):
      truth, error = exact["factors"][name][kind], row[f"{kind}_error"]
      assert 0 < error < 0.05 * truth
      assert row[kind] == pytest.approx(truth, abs=4 * error)


def test_xy_squares_of_table_a1():
  found = factor_importance(tiny_data(), MSE(), num_pairs=2000)
  for row in found["factors"].values():  # 8 of 128 pixels change, always
    assert row["mean"] == pytest.approx(8 / 128, abs=1e-7)
    assert row["std"] == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_dsprites_of_table_a1():
  found = factor_importance(DSprites(), MSE(), num_pairs=5000)
  expected = {
    "shape": 0.021483,
    "scale": 0.025137,
    "orientation": 0.016515,
    "position_x": 0.057203,
    "position_y": 0.057346,
  }
  for name, mean in expected.items():
    assert found["factors"][name]["mean"] == pytest.approx(mean, abs=1e-6)
  assert found["random"]["mean"] == pytest.approx(0.075222, abs=1e-6)


@pytest.mark.slow
def test_full_size_xy_squares_of_table_a1():
  found = factor_importance(XYSquares(), MSE(), num_pairs=5000)
  for row in found["factors"].values():
    assert row["mean"] == pytest.approx(128 / 12288, abs=1e-6)
    assert row["std"] == pytest.approx(0, abs=1e-6)
  assert found["random"]["mean"] == pytest.approx(0.0308, abs=5e-5)


def test_what_cannot_be_exact_is_estimated():
  data = tiny_data()
  assert can_be_exact(data, MSE())
  for loss in (MAE(), Bernoulli(), Overlap(MAE(), box_kernel(1), alpha=1.0)):
    assert not can_be_exact(data, loss)


def test_sets_with_holes_are_estimated():
  data = tiny_data()
  points = data.factors.to_factors(np.arange(len(data)))
  points = points[points.sum(axis=1) % 3 > 0]
  some = FactorTable(data.observe(points).numpy(), points, names=data.factors.names)
  assert not can_be_exact(some, MSE())
  found = factor_importance(some, MSE(), num_pairs=200)
  for row in found["factors"].values():
    assert row["mean"] == pytest.approx(8 / 128, rel=1e-5)


def test_pairs_differ_in_one_factor():
  space = tiny_data().factors
  points, others = draw_factor_pairs(space, 2, 500, np.random.default_rng(0))
  assert ((points != others).sum(axis=1) == 1).all()
  assert (points[:, 2] != others[:, 2]).all()
  steps = np.abs(points[:, 2] - others[:, 2])
  assert set(steps) == {1, 2, 3}


def test_bad_counts():
  with pytest.raises(UserError, match="num_pairs"):
    factor_importance(tiny_data(), MSE(), num_pairs=0)
