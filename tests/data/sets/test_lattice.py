import numpy as np
import pytest

from disentangle_tf.data import Lattice
from disentangle_tf.errors import UserError


def _points(data):
  return next(data.in_order(len(data)))[1]


def test_covariance_of_all_and_of_one_cluster():
  """[[1.8336, .3478], [.3478, 1.8336]]: 45 and 135 degrees; within, 0.3^2 / 12 * I."""
  data = Lattice(points_per_cluster=2_000)
  points = _points(data)
  assert data.factors.sizes == (23, 2_000)
  np.testing.assert_allclose(
    np.cov(points.T), [[1.8336, 0.3478], [0.3478, 1.8336]], atol=0.003
  )
  cluster = points.reshape(23, 2_000, 2)[7]
  np.testing.assert_allclose(np.cov(cluster.T), 0.0075 * np.eye(2), atol=0.0005)
  assert np.ptp(cluster, axis=0) == pytest.approx([0.3, 0.3], abs=0.01)


def test_two_corners_are_missing():
  centres = np.rint(_points(Lattice())).astype(int)
  found = {tuple(centre) for centre in centres.tolist()}
  assert len(found) == 23 and not found & {(-2, 2), (2, -2)}
  assert len(Lattice()) == 2_300


def test_points_follow_the_seed():
  np.testing.assert_array_equal(_points(Lattice()), _points(Lattice()))
  assert (_points(Lattice()) != _points(Lattice(seed=1))).any()
  with pytest.raises(UserError, match="points_per_cluster is 0"):
    Lattice(points_per_cluster=0)
