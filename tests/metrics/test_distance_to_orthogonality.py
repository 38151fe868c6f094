import numpy as np
import pytest
from scipy import stats

from disentangle_tf import metrics
from disentangle_tf.errors import UserError


def _scores(jacobians):
  """Scores with all latents active."""
  jacobians = np.asarray(jacobians)
  narrow = np.full((len(jacobians), jacobians.shape[-1]), -3.0)
  found = metrics.distance_to_orthogonality(jacobians, narrow)
  return found["distance_to_orthogonality"], found["column_cosine"]


def _jacobian(singular_values, right, pixels=30):
  """U S V^T with a random U."""
  latents = len(singular_values)
  left = np.linalg.qr(np.random.default_rng(0).normal(size=(pixels, latents)))[0]
  return (left * singular_values) @ np.asarray(right).T


@pytest.mark.parametrize("degrees", [0, 10, 30, 45])
def test_two_latents_turned_by_an_angle(degrees):
  """2 sqrt(2) sin(angle / 2), at most 1.0824."""
  angle = np.deg2rad(degrees)
  turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
  distance, cosine = _scores(_jacobian([3.0, 1.0], turn)[None])
  assert distance == pytest.approx(2 * np.sqrt(2) * np.sin(angle / 2), abs=1e-6)
  # J^T J = V diag(9, 1) V^T: off the diagonal 8 sin cos, on it 9 cos^2 + sin^2, ...
  off = 8 * np.sin(angle) * np.cos(angle)
  on = (9 * np.cos(angle) ** 2 + np.sin(angle) ** 2) * (
    9 * np.sin(angle) ** 2 + np.cos(angle) ** 2
  )
  assert cosine == pytest.approx(off / np.sqrt(on), abs=1e-9)


def test_signs_order_and_scale_do_not_matter():
  permutation = np.eye(4)[[2, 0, 3, 1]] * [1, -1, -1, 1]
  jacobian = _jacobian([5.0, 3.0, 2.0, 1.0], permutation)
  assert _scores(jacobian[None]) == pytest.approx((0, 0), abs=1e-6)
  assert _scores(100 * jacobian[None]) == pytest.approx((0, 0), abs=1e-6)


@pytest.mark.parametrize(
  ("latents", "expected"), [(2, 0.548), (3, 0.99), (5, 1.64), (10, 2.85)]
)
def test_random_directions(latents, expected):
  turns = stats.ortho_group.rvs(latents, size=1_000, random_state=0)
  jacobians = [_jacobian(np.arange(1.0, latents + 1), turn) for turn in turns]
  assert _scores(jacobians)[0] == pytest.approx(expected, rel=0.03)


def test_equal_singular_values_leave_the_cosine_alone():
  angle = np.pi / 7
  turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
  assert _scores(_jacobian([2.0, 2.0], turn)[None])[1] == pytest.approx(0, abs=1e-9)


def test_pruned_latents_are_left_out():
  angle = np.pi / 6
  turn = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
  jacobian = _jacobian([3.0, 1.0], turn)
  pruned = np.random.default_rng(1).normal(size=(30, 1))
  both = np.concatenate([jacobian[:, :1], pruned, jacobian[:, 1:]], axis=1)[None]
  found = metrics.distance_to_orthogonality(both, np.log([[0.1, 0.9, 0.7]]))
  assert tuple(found.values()) == pytest.approx((*_scores(jacobian[None]), 2.0))
  found = metrics.distance_to_orthogonality(both, np.log([[0.1, 0.9, 0.85]]))
  assert tuple(found.values()) == (0, 0, 1)
  found = metrics.distance_to_orthogonality(
    both, np.log([[0.1, 0.9, 0.7]]), threshold=0.95
  )
  assert found["orthogonality_latents"] == 3


def test_edges():
  assert _scores(np.ones((3, 5, 1))) == (0, 0)
  assert _scores(np.zeros((3, 5, 2)))[1] == 0
  with pytest.raises(UserError, match=r"it must be \[points, pixels, latents\]"):
    _scores(np.ones((3, 5)))
  with pytest.raises(UserError, match="not finite"):
    _scores(np.full((3, 5, 2), np.nan))
