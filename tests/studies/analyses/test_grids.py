import functools

import numpy as np
import pytest
from study_tables import made_up_study, only, row_of, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import score_against_method, score_against_strength
from disentangle_tf.studies.analyses.grids import ScoreGrid
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import results_table
from disentangle_tf.studies.titles import METHODS


def test_every_value_is_at_its_place():
  values = np.random.default_rng(0).random((2, 3, 2, 4, 5))
  grid = ScoreGrid.of(pivot(table_of(values, scores=("a", "b")), ["b", "a"]))
  np.testing.assert_array_equal(grid.values, values.reshape(2, 3, 8, 5)[::-1])
  assert grid.settings[5] == ("method 1", "BETA=2.0") and grid.strengths[5] == 1
  assert grid.seeds.tolist() == [0, 1, 2, 3, 4]


def test_methods_in_the_papers_order():
  grid = ScoreGrid.of(pivot(made_up_study(num_strengths=2, num_seeds=1), ["mig"]))
  assert [method for method, _ in grid.settings[::2]] == list(METHODS)
  assert grid.data[0] == "dsprites"


def test_missing_models_are_not_numbers():
  values = np.tile(np.arange(50.0), (1, 1, 1, 2, 1))
  table = only(table_of(values), seed=49, strength=1)
  grid = ScoreGrid.of(pivot(table, ["mig"]))
  assert grid.medians.tolist() == [[[24.5, 24.0]]]
  assert grid.counts.tolist() == [[[50, 49]]]


def test_two_models_at_one_place_are_refused():
  row = row_of("a", "m", 0, 0, "mig", 0.5)
  table = results_table([row, {**row, "run": "again"}])
  with pytest.raises(UserError, match="share data set, method, setting and seed"):
    ScoreGrid.of(pivot(table, ["mig"]))


@pytest.mark.parametrize("all_models", [True, False])
def test_promises(all_models):
  analysis = functools.partial(score_against_method, all_models=all_models)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_six_medians_or_all_models():
  values = np.tile(np.arange(50.0), (1, 1, 2, 6, 1)) + 100 * np.arange(6)[:, None]
  table = table_of(values)
  medians = score_against_method(table, scores=("mig",))["set 0", "mig"]
  expected = [24.5, 124.5, 224.5, 324.5, 424.5, 524.5]
  assert medians["method 1"].tolist() == expected
  models = score_against_method(table, scores=("mig",), all_models=True)["set 0", "mig"]
  assert sorted(models["method 0"].tolist()) == sorted(values[0, 0, 0].ravel().tolist())


def test_missing_models_are_left_out():
  table = only(table_of(np.ones((1, 1, 2, 3, 4))), method="method 0", strength=2)
  medians = score_against_method(table, scores=("mig",))["set 0", "mig"]
  assert {name: len(found) for name, found in medians.items()} == {
    "method 0": 2, "method 1": 3,
  }  # fmt: skip


def test_score_against_strength_promises():
  analysis = functools.partial(score_against_strength, scores=("mig", "sap"))
  run_analysis_test(analysis, made_up_study(num_strengths=3, num_seeds=3))


def test_medians_over_seeds():
  values = np.tile(np.arange(50.0), (1, 1, 2, 3, 1)) + np.arange(3)[:, None]
  curves = score_against_strength(table_of(values), scores=("mig",))["set 0", "mig"]
  for curve in curves.values():
    assert curve.y.tolist() == [24.5, 25.5, 26.5]
    assert curve.counts.tolist() == [50, 50, 50] and curve.n == 150


def test_strengths_without_a_model_are_left_out():
  table = only(table_of(np.ones((1, 2, 2, 3, 4))), method="method 0", strength=1)
  curves = score_against_strength(table, scores=("mig",))["set 1", "mig"]
  assert curves["method 0"].x.tolist() == [0, 2]
  assert curves["method 1"].x.tolist() == [0, 1, 2]


def test_a_method_that_lacks_a_data_set_has_no_points_there():
  table = only(table_of(np.ones((1, 2, 2, 3, 4))), method="method 0", data="set 0")
  curves = score_against_strength(table, scores=("mig",))["set 0", "mig"]
  assert len(curves["method 0"].x) == 0 and curves["method 1"].n == 12
