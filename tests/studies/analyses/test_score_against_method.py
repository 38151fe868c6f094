import functools

import numpy as np
import pytest
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.studies.analyses import score_against_method


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
