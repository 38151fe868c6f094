import functools

import numpy as np
import pytest
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import quartiles, score_distributions


def test_promises():
  analysis = functools.partial(score_distributions, by="data", halves="method")
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_quartiles_of_sixteen_values():
  assert quartiles(np.arange(16.0)).tolist() == [3.75, 7.5, 11.25]


def test_all_else_is_pooled():
  values = np.arange(2 * 2 * 4 * 4.0).reshape(1, 2, 2, 4, 4)
  panels = score_distributions(
    table_of(values), by="data", halves="method", scores=("mig",)
  )
  first = panels["mig"]["set 0"]["method 0"]
  assert first.values.tolist() == list(range(16))
  assert first.quartiles.tolist() == [3.75, 7.5, 11.25]
  turned = score_distributions(
    table_of(values), by="method", halves="data", scores=("mig",)
  )
  assert turned["mig"]["method 0"]["set 0"].values.tolist() == list(range(16))


def test_halves_by_a_function():
  table = table_of(np.arange(8.0).reshape(1, 1, 2, 2, 2))
  panels = score_distributions(
    table,
    by="method",
    halves=lambda models: np.where(models.strength > 0, "strong", "weak"),
    scores=("mig",),
  )
  halves = panels["mig"]["method 1"]
  assert list(halves) == ["strong", "weak"]
  assert halves["strong"].values.tolist() == [6, 7]
  assert halves["weak"].values.tolist() == [4, 5]


def test_halves_without_a_model_are_not_there():
  table = only(table_of(np.ones((1, 2, 2, 2, 2))), method="method 1", data="set 0")
  panels = score_distributions(table, by="data", halves="method", scores=("mig",))
  assert list(panels["mig"]["set 0"]) == ["method 0"]
  assert list(panels["mig"]["set 1"]) == ["method 0", "method 1"]
  with pytest.raises(UserError, match="'step' is not one of data, method, setting"):
    score_distributions(table, by="step", halves="method")
