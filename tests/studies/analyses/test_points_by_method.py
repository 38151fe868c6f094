from study_tables import made_up_study, only

from disentangle_tf.studies.analyses.points_by_method import points_by_method
from disentangle_tf.studies.model_scores import pivot


def test_models_with_both_values():
  table = only(made_up_study(num_strengths=1, num_seeds=4), score="mig", seed=3)
  wide = pivot(table, ["mig", "sap"])
  wide = wide[wide["data"] == "dsprites"]
  points = points_by_method(wide, wide["mig"], wide["sap"])
  assert list(points)[:2] == ["beta-VAE", "FactorVAE"]
  for method, found in points.items():
    chosen = (wide.method == method) & (wide.seed != 3)
    assert (
      found.tolist() == wide.loc[chosen, ["mig", "sap"]].values.tolist()
      and len(found) == 3
    )
