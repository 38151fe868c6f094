import numpy as np
import pytest
from figure_checks import column_labels, drawn_matrix, row_labels

from disentangle_tf.pictures import factor_latent_figure, factor_latent_matrices


def test_each_way_finds_the_latent_that_is_the_factor():
  rng = np.random.default_rng(0)
  factors = rng.integers(4, size=(900, 2))
  noise = rng.normal(size=900)
  codes = np.stack([-2.0 * factors[:, 1], noise, 1.0 * factors[:, 0]], axis=1)
  found = factor_latent_matrices(codes, factors)
  assert list(found) == ["mutual information", "correlation", "importance", "accuracy"]
  for matrix in found.values():
    assert matrix.shape == (3, 2)
    assert np.argmax(matrix, axis=0).tolist() == [2, 0]
  # A factor with four equally frequent values has log 4 nats.
  assert found["mutual information"][2, 0] == pytest.approx(np.log(4), abs=0.01)
  assert found["correlation"][0, 1] == pytest.approx(1)  # its sign is dropped
  # Linear one-against-rest classifiers separate three of the four values.
  assert found["accuracy"][2, 0] > 0.7 > found["accuracy"][1, 0] + 0.3
  np.testing.assert_allclose(found["importance"].sum(axis=0), 1, rtol=1e-6)


def _points(latents, factors, *, count=300):
  rng = np.random.default_rng(0)
  drawn = rng.integers(3, size=(count, factors))
  codes = rng.normal(size=(count, latents))
  codes[:, 0] += drawn[:, 0]
  return codes, drawn


def test_the_most_used_latent_is_first_and_dead_ones_are_marked():
  codes, factors = _points(3, 2)
  # The KL of latent 0 is almost 0; that of latent 2 exceeds that of latent 1.
  codes *= [1e-3, 1.0, 1.0]
  log_variances = np.tile([0.0, -2.0, -4.0], (len(codes), 1))
  figure = factor_latent_figure(codes, log_variances, factors, ["a", "b"])
  expected = factor_latent_matrices(codes[:, [2, 1, 0]], factors)
  assert [axis.get_title() for axis in figure.axes] == list(expected)
  for axis, matrix in zip(figure.axes, expected.values(), strict=True):
    assert row_labels(axis) == ["latent 2", "latent 1", "latent 0 (dead)"]
    assert column_labels(axis) == ["a", "b"]
    shown = drawn_matrix(axis)
    np.testing.assert_allclose(shown[:2], matrix[:2])
    assert np.isnan(shown[2]).all()  # even if it correlates with a factor


def test_of_very_many_some_are_shown():
  codes, factors = _points(70, 45, count=60)
  codes[:, 69] *= 10  # without log-variances the spread decides
  names = [f"factor {i} {'of very many ' * (i == 1)}" * 2 for i in range(45)]
  figure = factor_latent_figure(codes, None, factors, names)
  axis = figure.axes[0]
  assert drawn_matrix(axis).shape == (64, 40)
  assert row_labels(axis)[0] == "latent 69"
  shown = column_labels(axis)
  assert shown[0] == "factor 0 factor 0" and len(shown) == 40
  assert shown[1] == " ".join(names[1].split())[:37] + "..."
