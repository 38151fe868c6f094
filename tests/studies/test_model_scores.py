import numpy as np
from study_tables import made_up_study, only

from disentangle_tf.studies.model_scores import pivot, score_values, split_models


def test_models_of_one_data_set_keep_their_scores():
  wide = pivot(made_up_study(num_strengths=2, num_seeds=2), ["mig", "sap"])
  part = split_models(wide, "data")["dsprites"]
  assert set(part.data) == {"dsprites"} and len(part) == 24
  scores = ["mig", "sap"]
  for run, values in zip(part.run, part[scores].values, strict=True):
    np.testing.assert_array_equal(values, wide.loc[wide.run == run, scores].values[0])


def test_columns_by_name():
  table = only(made_up_study(num_strengths=1, num_seeds=2), score="sap", seed=0)
  wide = pivot(table, ["mig", "sap"])
  values = score_values(wide, ["mig", "sap"])
  np.testing.assert_array_equal(wide["sap"], values[:, 1])
  models = wide.dropna(subset=["sap"])
  assert set(models.seed) == {1} and len(models) == 18
  assert len(wide.dropna()) == 18
