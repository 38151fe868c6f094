import numpy as np
import pytest
import tensorflow as tf
from scipy import stats
from shared_checks import tiny_data

from disentangle_tf.data import XYSquares, draw_pairs, draw_single
from disentangle_tf.errors import UserError
from disentangle_tf.losses import Blur, box_kernel
from disentangle_tf.perceived import learned_kernel
from disentangle_tf.perceived.kernel_learning import soft_rank_correlation
from disentangle_tf.random_streams import stream_seed

SMALL = XYSquares(image_size=16, square_size=2, grid_spacing=2, num_squares=2)


@pytest.mark.parametrize("levels", [5, 1000])  # with many ties, and with hardly any
def test_soft_rank_correlation_becomes_spearmans(levels):
  rng = np.random.default_rng(0)
  truth = rng.integers(levels, size=200)
  values = np.round(truth / levels + rng.normal(size=200), 2).astype(np.float32)
  expected = stats.spearmanr(values, truth)[0]
  for temperature, error in ((0.1, 0.01), (0.01, 1e-3), (1e-5, 1e-6)):
    soft = float(soft_rank_correlation(values, truth, temperature=temperature))
    assert soft == pytest.approx(expected, abs=error)


def test_soft_rank_correlation_does_not_see_the_scale():
  values = tf.constant(np.random.default_rng(0).random(50), tf.float32)
  once, again = (
    soft_rank_correlation(scale * values, tf.range(50), temperature=0.3)
    for scale in (1.0, 1e-5)
  )
  assert float(once) == pytest.approx(float(again), rel=1e-4)


def test_soft_rank_correlation_of_constants_is_0_with_a_gradient():
  values = tf.ones([4])
  with tf.GradientTape() as tape:
    tape.watch(values)
    correlation = soft_rank_correlation(values, tf.range(4), temperature=0.1)
  assert float(correlation) == pytest.approx(0, abs=1e-6)
  assert np.isfinite(tape.gradient(correlation, values)).all()
  correlation = soft_rank_correlation(tf.range(4.0), values, temperature=0.1)
  assert float(correlation) == pytest.approx(0, abs=1e-6)


def _held_out_correlation(data, kernel, draw):
  first, second = draw(data.factors)
  blurred = Blur(kernel)(data.observe(first) - data.observe(second))
  distances = np.round(np.mean(blurred**2, axis=(1, 2, 3)), 9)  # equal ones are equal
  truth = np.abs(first - second).sum(axis=1)
  return stats.spearmanr(distances, truth)[0]


def _pairs(space):
  return draw_pairs(space, 2000, stream_seed(99, "held out"))


def _independent(space):
  points = draw_single(space, 4000, stream_seed(99, "held out"))
  return points[:2000], points[2000:]


def test_orders_the_small_squares():
  kernel = learned_kernel(SMALL, radius=7, steps=100)
  assert kernel.shape == (15, 15)
  assert (kernel >= 0).all()
  assert kernel.sum() == pytest.approx(1, abs=1e-12)
  np.testing.assert_allclose(kernel, kernel[::-1, ::-1], rtol=1e-5)
  for draw, least in ((_pairs, 0.96), (_independent, 0.92)):
    plain, box, learned = (
      _held_out_correlation(SMALL, candidate, draw)
      for candidate in (np.ones((1, 1)), box_kernel(7), kernel)
    )
    assert learned > plain + 0.3
    assert learned > box
    assert learned > least


def test_reaches_farther_with_a_larger_radius_than_the_image_is_wide():
  data = tiny_data()
  kernel = learned_kernel(data, radius=9, steps=50)
  assert _held_out_correlation(data, kernel, _independent) > 0.95


def test_follows_from_the_seed_within_any_strategy(two_replicas):
  def learn(seed):
    return learned_kernel(tiny_data(), radius=2, num_pairs=16, steps=3, seed=seed)

  first, other = learn(0), learn(1)
  with two_replicas.scope():
    within = learn(0)
  np.testing.assert_allclose(first, within, atol=1e-7)
  assert np.abs(first - other).max() > 1e-5


def test_starts_with_half_its_weight_at_the_centre():
  kernel = learned_kernel(tiny_data(), radius=1, steps=1, learning_rate=1e-9)
  expected = np.full((3, 3), 1 / 16)
  expected[1, 1] = 0.5
  np.testing.assert_allclose(kernel, expected, rtol=1e-5)


@pytest.mark.parametrize(
  "wrong",
  [
    {"radius": 0},
    {"radius": 1.5},
    {"num_pairs": 0},
    {"steps": -1},
    {"learning_rate": 0},
    {"temperature": -0.1},
    {"temperature": "cold"},
    {"seed": 0.5},
    {"seed": -1},
  ],
  ids=str,
)
def test_what_is_wrong_is_said(wrong):
  (name,) = wrong
  with pytest.raises(UserError, match=f"learned_kernel.{name} is"):
    learned_kernel(tiny_data(), **{"radius": 1, **wrong})


def test_needs_factors():
  data = tiny_data()
  data.has_factors = False
  with pytest.raises(UserError, match="no factors"):
    learned_kernel(data, radius=1)


def test_needs_a_data_set():
  with pytest.raises(UserError, match="learned_kernel.data is 5"):
    learned_kernel(5, radius=1)
