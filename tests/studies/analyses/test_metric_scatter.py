import functools

from study_tables import made_up_study, only, run_analysis_test

from disentangle_tf.studies.analyses import metric_scatter
from disentangle_tf.studies.model_scores import pivot


def test_promises():
  analysis = functools.partial(metric_scatter, data="dsprites")
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_every_model_is_a_point():
  table = only(made_up_study(num_strengths=2), score="sap", seed=1, data="dsprites")
  panels = metric_scatter(table, "dsprites", scores=("mig", "sap"))
  assert list(panels) == [
    ("mig", "mig"),
    ("mig", "sap"),
    ("sap", "mig"),
    ("sap", "sap"),
  ]
  assert sum(map(len, panels["mig", "mig"].values())) == 60
  assert sum(map(len, panels["sap", "mig"].values())) == 48
  wide = pivot(table, ["mig", "sap"])
  wide = wide[wide["data"] == "dsprites"]
  chosen = (wide.method == "DIP-VAE-I") & (wide.seed != 1)
  # The row is the y axis.
  points = panels["sap", "mig"]["DIP-VAE-I"]
  assert points.tolist() == wide.loc[chosen, ["mig", "sap"]].values.tolist()
