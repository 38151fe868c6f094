import numpy as np
import pytest
from study_tables import made_up_study, only, row_of, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.score_grid import ScoreGrid
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.paper_names import METHODS
from disentangle_tf.studies.results_table import results_table


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
