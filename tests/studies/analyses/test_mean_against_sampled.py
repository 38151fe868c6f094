import numpy as np
from study_tables import made_up_study, run_analysis_test, table_of

from disentangle_tf.studies.analyses import mean_against_sampled

_SCORES = ("sampled_gaussian_total_correlation", "gaussian_total_correlation")


def test_promises():
  run_analysis_test(mean_against_sampled, made_up_study(num_strengths=2, num_seeds=3))


def test_equal_total_correlations_lie_on_the_identity():
  values = np.random.default_rng(0).random((1, 2, 2, 2, 3)) + 0.1
  panels, left_out = mean_against_sampled(
    table_of(np.concatenate([values, values]), scores=_SCORES)
  )
  assert left_out == 0 and list(panels) == ["set 0", "set 1"]
  for methods in panels.values():
    for points in methods.values():
      assert points.shape == (6, 2)
      np.testing.assert_array_equal(points[:, 0], points[:, 1])


def test_x_is_sampled_and_y_is_mean_in_logarithms():
  values = np.stack([np.full((1, 1, 1, 1), np.e), np.full((1, 1, 1, 1), np.e**3)])
  panels, _ = mean_against_sampled(table_of(values, scores=_SCORES))
  np.testing.assert_allclose(panels["set 0"]["method 0"], [[1, 3]])


def test_zeros_have_no_logarithm_and_are_counted():
  values = np.ones((2, 1, 1, 1, 4))
  values[1, ..., 0] = 0
  panels, left_out = mean_against_sampled(table_of(values, scores=_SCORES))
  assert left_out == 1 and len(panels["set 0"]["method 0"]) == 3
