import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.points import (
  check_codes,
  check_points,
  check_varying,
  discrete_points,
  equal_width_bins,
  factor_classes,
  varying_columns,
)


@pytest.mark.parametrize(
  ("given", "kept"),
  [("f4", "f4"), ("f8", "f8"), ("f2", "f8"), ("i8", "f8"), ("u1", "f8"), ("?", "f8")],
)
def test_codes_are_floats(given, kept):
  codes = check_codes(np.ones((2, 3), given))
  assert codes.dtype == kept
  assert check_codes([[1, 2]]).tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
  ("codes", "match"),
  [
    (np.zeros(3), r"\(3,\) must be \[points, latents\]"),
    (np.zeros((0, 2)), r"nothing to score in codes of shape \(0, 2\)"),
    (np.array([["a"]]), "are not numbers"),
    (np.array([[0, 1], [0, np.nan]]), "latent 1 has codes that are NaN or infinite"),
    (np.array([[np.inf, 1], [0, 2]]), "latent 0 has codes that are NaN or infinite"),
  ],
)
def test_what_is_no_code(codes, match):
  with pytest.raises(UserError, match=match):
    check_codes(codes)


def test_factors_that_are_whole_become_integers():
  codes = np.zeros((2, 1))
  for factors in ([[1.0], [2.0]], np.array([[True], [False]]), [[1], [2]]):
    assert check_points(codes, factors)[1].dtype.kind == "i"
  assert check_points(codes, [[0.5], [2.0]])[1].dtype == np.float64


@pytest.mark.parametrize(
  ("factors", "match"),
  [
    (np.zeros((2, 1)), "codes of 3 points and factors of 2 do not fit together"),
    (np.zeros(3), r"codes \(3, 1\) and factors \(3,\) must be"),
    (np.zeros((3, 0)), r"nothing to score in factors of shape \(3, 0\)"),
    (np.full((3, 1), "a"), "are not numbers"),
    (np.array([[0, 1], [0, 2], [0, np.inf]]), "factor 1 has values that are NaN"),
  ],
)
def test_what_is_no_factor(factors, match):
  with pytest.raises(UserError, match=match):
    check_points(np.zeros((3, 1)), factors)


def test_columns_that_vary():
  values = np.array([[1, 2, 0.3], [1, 3, 0.3]])
  assert varying_columns(values).tolist() == [False, True, False]
  assert check_varying(values).tolist() == [1]
  with pytest.raises(UserError, match="a factor that takes more than one value"):
    check_varying(values[:, [0, 2]])


def test_bins_are_of_equal_width_and_the_maximum_is_in_the_last():
  values = np.array([[0.0, 10], [0.9, 12], [1.0, 14], [2.5, 16], [4.0, 18]])
  assert equal_width_bins(values, 4).tolist() == [
    [1, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 4],
  ]


def test_bins_of_columns_that_hardly_vary():
  constant = np.full((4, 1), 0.3, np.float32)
  assert len(np.unique(equal_width_bins(constant, 20))) == 1
  # The range holds three float32 steps, fewer than there are bins.
  wavering = constant + np.arange(4, dtype=np.float32)[:, None] * np.spacing(
    np.float32(0.3)
  )
  bins = equal_width_bins(wavering, 20)[:, 0]
  assert (np.diff(bins) > 0).all() and bins[-1] == 20


def test_classes_are_the_values_in_their_order():
  factors = np.array([[5, -1.0], [2, 0.5], [9, -1.0], [5, 7.0]])
  assert factor_classes(factors, num_bins=3).T.tolist() == [[1, 0, 2, 1], [0, 1, 0, 2]]


def test_only_continuous_factors_are_cut():
  whole = np.arange(10)[:, None]
  assert factor_classes(whole, num_bins=4)[:, 0].tolist() == list(range(10))
  halves = whole + 0.5
  assert factor_classes(halves, num_bins=10)[:, 0].tolist() == list(range(10))
  cut = factor_classes(halves, num_bins=3)[:, 0]
  assert cut.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
  # Bins that no value falls into have no class.
  apart = np.array([[0.1], [0.2], [0.3], [9.9]])
  assert factor_classes(apart, num_bins=3)[:, 0].tolist() == [0, 0, 0, 1]


def test_discrete_points_are_without_factors_of_one_value():
  codes, classes = discrete_points(
    np.zeros((3, 1), np.float32), [[7, 4], [7, 2], [7, 4]], num_bins=20
  )
  assert codes.dtype == np.float32
  assert classes.tolist() == [[1], [0], [1]]
