import numpy as np
import pytest
from metric_checks import check_is_scores
from scipy import stats

from disentangle_tf import metrics


def _price(jacobians):
  """Scores with all latents active."""
  jacobians = np.asarray(jacobians, np.float64)
  narrow = np.full((len(jacobians), jacobians.shape[2]), -3.0)
  scores = metrics.misalignment(jacobians, narrow)
  check_is_scores(scores)
  return scores["misalignment"], scores["singular_points"]


def _turned(squares, turn, pixels=30):
  """Directions of these squared lengths, and latents that are turned against them."""
  left = np.linalg.qr(np.random.default_rng(0).normal(size=(pixels, len(squares))))[0]
  return (left * np.sqrt(squares)) @ turn


def _rotation(degrees):
  angle = np.deg2rad(degrees)
  return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


@pytest.mark.parametrize("degrees", [0, 15, 30, 45, 90])
@pytest.mark.parametrize(("first", "second"), [(4, 1), (2, 2), (0.3, 50)])
def test_two_directions_turned_by_an_angle(first, second, degrees):
  squared_sine = np.sin(2 * np.deg2rad(degrees)) ** 2
  excess = (first - second) ** 2 / (4 * first * second) * squared_sine
  found = _price([_turned([first, second], _rotation(degrees))])
  assert found == pytest.approx((0.5 * np.log(1 + excess), 0), abs=1e-9)


@pytest.mark.parametrize(
  ("degrees", "least"), [(0, 4), (15, 4.2720), (30, 4.7697), (45, 5)]
)
def test_the_least_noise_of_the_simplified_problem(degrees, least):
  """n (product of G_jj)^(1/n) is 4 for squared lengths 4 and 1, times e^price."""
  price, _ = _price([_turned([4, 1], _rotation(degrees))])
  assert 4 * np.exp(price) == pytest.approx(least, abs=1e-4)


def test_it_is_the_divergence_of_the_best_diagonal_posterior():
  """KL of N(0, 1 / diag P) from N(0, P^-1), of a precision P = G in many dimensions."""
  turn = stats.ortho_group.rvs(4, random_state=0)
  jacobian = _turned([5, 3, 2, 1], turn)
  precision = jacobian.T @ jacobian
  variances = 1 / np.diag(precision)
  noise = np.random.default_rng(0).normal(size=(200_000, 4)) * np.sqrt(variances)
  ratio = stats.norm.logpdf(noise, scale=np.sqrt(variances)).sum(axis=1)
  ratio -= stats.multivariate_normal.logpdf(noise, cov=np.linalg.inv(precision))
  assert _price([jacobian])[0] == pytest.approx(ratio.mean(), abs=0.01)


def test_scale_and_order_of_the_latents_do_not_matter():
  jacobian = _turned([5, 3, 1], stats.ortho_group.rvs(3, random_state=1))
  expected = _price([jacobian])
  assert _price([jacobian[:, ::-1] * [1, -10, 0.01]]) == pytest.approx(expected)
  assert _price([jacobian, np.eye(30, 3)])[0] == pytest.approx(expected[0] / 2)


def test_latents_that_do_the_same_cost_much_but_not_all():
  column = np.random.default_rng(0).normal(size=(30, 1))
  same = np.concatenate([column, 3 * column, -column], axis=1)
  price, singular = _price([same, np.eye(30, 3)])
  assert singular == 0.5
  # The cosines have the eigenvalues 3, 0 and 0.
  assert 2 * price == pytest.approx(-0.5 * np.log(3 * 1e-6**2), rel=1e-6)
  fewer_pixels_than_latents = np.random.default_rng(0).normal(size=(5, 2, 3))
  assert _price(fewer_pixels_than_latents)[1] == 1


def test_latents_that_do_nothing_or_are_pruned_are_left_out():
  jacobian = _turned([4, 1], _rotation(30))
  expected = _price([jacobian])
  idle = np.insert(jacobian, 1, 0.0, axis=1)
  assert _price([idle]) == pytest.approx(expected)
  assert _price(np.zeros((3, 5, 2))) == (0, 0)
  pruned = np.insert(jacobian, 1, 1.0, axis=1)[None]
  found = metrics.misalignment(pruned, np.log([[0.1, 0.95, 0.1]]))
  assert tuple(found.values()) == pytest.approx(expected)
  found = metrics.misalignment(pruned, np.zeros((1, 3)))
  assert tuple(found.values()) == (0, 0)
