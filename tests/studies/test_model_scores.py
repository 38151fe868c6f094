import numpy as np
from study_tables import made_up_study, only


def test_models_of_one_data_set_keep_their_scores():
  wide = made_up_study(num_strengths=2, num_seeds=2).pivot(["mig", "sap"])
  part = wide.of_data("dsprites")
  assert set(part.data) == {"dsprites"} and len(part) == 24
  for run, values in zip(part.run, part.values, strict=True):
    np.testing.assert_array_equal(values, wide.values[wide.run == run][0])


def test_columns_by_name():
  table = only(made_up_study(num_strengths=1, num_seeds=2), score="sap", seed=0)
  wide = table.pivot(["mig", "sap"])
  np.testing.assert_array_equal(wide.column("sap"), wide.values[:, 1])
  models, values = wide.with_score("sap")
  assert set(models.seed) == {1} and len(values) == 18
  assert len(wide.complete()) == 18
