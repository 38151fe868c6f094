import numpy as np
import pytest

from disentangle_tf.data import Batches, Lattice, Pinwheel
from disentangle_tf.errors import UserError


def test_arms_are_rotations_of_each_other():
  data = Pinwheel(num_points=4000, radial_std=0.05, tangential_std=0.01)
  points = data.observe(data.factors.to_factors(np.arange(4000))).numpy()
  arms = points.reshape(4, 1000, 2).mean(axis=1)
  angles = np.unwrap(np.arctan2(arms[:, 1], arms[:, 0]))
  np.testing.assert_allclose(np.abs(np.diff(angles)), np.pi / 2, atol=0.02)
  np.testing.assert_allclose(np.linalg.norm(arms, axis=1), 1.0, atol=0.02)


def test_radii_and_the_bend():
  data = Pinwheel(num_points=4000, tangential_std=1e-6, rate=0.25)
  points = data.observe(data.factors.to_factors(np.arange(1000))).numpy()
  radius = np.linalg.norm(points, axis=1)
  assert abs(radius.std() - 0.1) < 0.01
  angle = -np.arctan2(points[:, 1], points[:, 0])
  np.testing.assert_allclose(angle, 0.25 * np.exp(radius), atol=1e-4)


def test_the_papers_set_in_batches():
  data = Pinwheel()
  assert len(data) == 400 and data.factors.sizes == (4, 100)
  assert Batches(data, batch_size=8).make(0).shape == (8, 2)
  factors = data.factors.draw(10, np.random.default_rng(0))
  np.testing.assert_array_equal(data.observe(factors), Pinwheel().observe(factors))
  assert (data.observe(factors) != Pinwheel(seed=1).observe(factors)).numpy().any()


def test_standardised_points_have_mean_zero_and_scale_one():
  data = Pinwheel()
  points = next(data.in_order(400))[1]
  mean, std = data.standardisation()
  standardised = (points - np.array(mean)) / np.array(std)
  np.testing.assert_allclose(standardised.mean(0), 0, atol=1e-5)
  np.testing.assert_allclose(standardised.std(0), 1, atol=1e-5)


@pytest.mark.parametrize(
  ("options", "message"),
  [
    (
      {"num_points": 401},
      "num_points is 401: it must be a multiple of num_clusters, 4",
    ),
    ({"num_points": 400, "num_clusters": 3}, "multiple of num_clusters, 3"),
    ({"num_points": 0}, "num_points is 0"),
    ({"num_clusters": 0}, "num_clusters is 0"),
  ],
)
def test_arms_have_as_many_points_each(options, message):
  with pytest.raises(UserError, match=message):
    Pinwheel(**options)


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
