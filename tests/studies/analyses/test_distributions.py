import functools

import numpy as np
import pytest
from study_tables import made_up_study, only, row_of, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import (
  quartiles,
  score_distributions,
  score_summary,
)
from disentangle_tf.studies.analyses.distributions import points_by_method
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import results_table


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


def test_score_summary_promises():
  run_analysis_test(score_summary, made_up_study(num_strengths=1, num_seeds=4))


def test_means_and_deviations():
  values = np.random.default_rng(0).random((2, 2, 3, 1, 10))
  panels = score_summary(table_of(values, scores=("a", "b")), scores=("a", "b"))
  means, deviations = panels["b"]
  assert means.rows == ("method 0", "method 1", "method 2")
  assert means.columns == ("set 0", "set 1")
  np.testing.assert_allclose(means.values, values[1, :, :, 0].mean(axis=-1).T)
  expected = values[1, :, :, 0].std(axis=-1, ddof=1).T
  np.testing.assert_allclose(deviations.values, expected)
  assert (means.counts == 10).all()


def test_one_model_has_no_deviation_and_none_no_mean():
  rows = [row_of("a", "m", 0, 0, "mig", 0.4), row_of("b", "n", 0, 0, "mig", 0.5)]
  means, deviations = score_summary(results_table(rows), scores=("mig",))["mig"]
  assert means.values[0, 0] == 0.4 and means.counts.tolist() == [[1, 0], [0, 1]]
  assert means.values.mask.tolist() == [[False, True], [True, False]]
  assert deviations.values.mask.all()
