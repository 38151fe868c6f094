import numpy as np
import pytest
from study_tables import made_up_study, only, row_of, shuffled, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import (
  COLUMNS,
  concatenate,
  missing_models,
  one_step,
  planned_models,
  results_table,
  select,
)


def _steps(values, score="mig"):
  return results_table(
    row_of("a", "m", 0, 0, score, value, step=step) for step, value in values.items()
  )


def test_rows_are_in_one_order_whatever_the_order_they_come_in():
  table = made_up_study(num_strengths=2, num_seeds=2)
  for name, values in results_table(shuffled(table)).items():
    np.testing.assert_array_equal(values, table[name])
  assert table["data"].tolist() == sorted(table["data"].tolist())
  assert len(table) == len(table["value"]) and table["run"].nunique() == 72


def test_columns_are_plain_arrays():
  table = results_table([row_of("set", "m", 2, 7, "mig", 0.5)])
  assert list(table.columns) == list(COLUMNS)
  assert {name: values.tolist() for name, values in table.items()} == {
    "run": ["set/m/BETA=4.0/seed_7"], "method": ["m"], "data": ["set"],
    "setting": ["BETA=4.0"], "strength": [2], "seed": [7], "step": [100],
    "score": ["mig"], "value": [0.5],
  }  # fmt: skip


def test_select():
  table = made_up_study(num_strengths=2, num_seeds=3)
  chosen = select(table, data="dsprites", seed=[0, 2], score={"mig", "sap"})
  assert sorted(chosen["data"].unique()) == ["dsprites"] and sorted(
    chosen["seed"].unique()
  ) == [0, 2]
  assert (
    sorted(chosen["score"].unique()) == ["mig", "sap"] and len(chosen) == 6 * 2 * 2 * 2
  )
  assert len(select(table, method="no such method")) == 0
  with pytest.raises(UserError, match="no column 'metod'; did you mean 'method'"):
    select(table, metod="beta-VAE")


def test_the_maximum_over_training_and_the_last():
  table = _steps({2_400: 0.1, 4_800: 0.9, 7_200: 0.3})
  assert one_step(table, "best")["value"].tolist() == [0.9]
  assert one_step(table, "last")["value"].tolist() == [0.3]
  assert one_step(table, "last")["step"].tolist() == [7_200]
  assert (
    one_step(table, "best").attrs["taken"] == "best" and table.attrs["taken"] is None
  )


def test_the_best_of_what_should_be_low_is_the_lowest():
  table = _steps({1: 5.0, 2: 3.0, 3: 4.0}, score="gaussian_total_correlation")
  assert one_step(table, "best")["value"].tolist() == [3.0]
  higher = _steps({1: 5.0, 2: 3.0, 3: 4.0}, score="mig")
  assert one_step(higher, "best")["value"].tolist() == [5.0]


def test_best_is_taken_for_each_model_and_score():
  rows = [
    row_of("a", "m", 0, seed, score, seed + value * (score == "mig") + step, step=step)
    for seed in range(3)
    for score, value in (("mig", 10), ("sap", 0))
    for step in (1, 2, 3)
  ]
  best = pivot(one_step(results_table(rows), "best"), ["sap", "mig"])
  assert best[["sap", "mig"]].values.tolist() == [[3, 13], [4, 14], [5, 15]]


def test_best_and_last_are_never_mixed():
  table = _steps({1: 0.1, 2: 0.2})
  best, last = one_step(table, "best"), one_step(table, "last")
  assert one_step(best, "best") is best
  with pytest.raises(UserError, match="holds only the best scores of training"):
    one_step(best, "last")
  with pytest.raises(UserError, match="do not compare"):
    concatenate([best, last])
  with pytest.raises(UserError, match="which is 'first'"):
    one_step(table, "first")
  assert select(best, score="mig").attrs["taken"] == "best"


def test_several_steps_must_be_chosen_from():
  with pytest.raises(
    UserError, match=r"several steps: take one_step\(table, \"best\"\)"
  ):
    pivot(_steps({1: 0.1, 2: 0.2}))


def test_pivot_is_wide_and_masks_what_is_missing():
  table = made_up_study(num_strengths=2, num_seeds=2)
  table = only(table, score="mig", seed=1)
  wide = pivot(table, ["sap", "mig"])
  assert list(wide)[6:] == ["sap", "mig"] and len(wide) == 72
  np.testing.assert_array_equal(wide["mig"].isna(), wide.seed == 1)
  row = np.flatnonzero(wide.seed == 0)[5]
  found = select(table, run=wide.run[row], score="sap")
  assert found["value"].tolist() == [wide["sap"][row]]
  assert found["method"].iloc[0] == wide.method[row]
  assert found["data"].iloc[0] == wide.data[row]
  assert found["strength"].iloc[0] == wide.strength[row]
  assert len(wide.dropna()) == 36
  models = wide.dropna(subset=["mig"])
  values = models["mig"]
  assert len(models) == 36 and np.isfinite(values).all()


def test_pivot_of_a_score_that_nobody_has():
  wide = pivot(made_up_study(num_strengths=1, num_seeds=1), ["mig", "no_such_score"])
  assert wide["no_such_score"].isna().all() and len(wide) == 18
  assert len(pivot(made_up_study(num_strengths=1, num_seeds=1), ["no"])) == 0


def test_concatenation():
  table = made_up_study(num_strengths=2, num_seeds=2)
  parts = [
    select(table, data=name) for name in sorted(table["data"].unique(), reverse=True)
  ]
  joined = concatenate(parts)
  for name, values in joined.items():
    np.testing.assert_array_equal(values, table[name])
  with pytest.raises(UserError, match="twice"):
    concatenate([table, table])


def test_missing_models_are_counted():
  table = made_up_study(num_strengths=2, num_seeds=3)  # 3 x 6 x 2 x 3 = 108
  assert missing_models(table) == 0
  fewer = table[table["run"] != sorted(table["run"].unique())[0]]
  assert missing_models(fewer, ["mig"]) == 1
  assert missing_models(only(table, score="mig", seed=2), ["mig", "sap"]) == 36
  assert missing_models(only(table, score="mig", seed=2), ["sap"]) == 0
  planned = results_table(table, planned=120)
  assert missing_models(planned, ["mig"]) == 12
  assert planned_models(select(planned, score="mig")) == 120  # no model is lost
  assert planned_models(select(planned, data="dsprites")) is None
  assert missing_models(select(planned, data="dsprites"), ["mig"]) == 0
  assert planned_models(concatenate([select(planned, score=["mig"])])) == 120


@pytest.mark.parametrize(
  ("change", "message"),
  [
    ({"value": float("nan")}, "not finite"),
    ({"value": float("inf")}, "not finite"),
    ({"value": "high"}, "no number"),
    ({"seed": 0.5}, "the column seed .* not whole"),
    ({"strength": "strong"}, "the column strength .* not whole"),
  ],
)
def test_wrong_values_are_refused(change, message):
  with pytest.raises(UserError, match=message):
    results_table([{**row_of("a", "m", 0, 0, "mig", 0.5), **change}])


def test_wrong_rows_are_refused():
  row = row_of("a", "m", 0, 0, "mig", 0.5)
  with pytest.raises(UserError, match="it must have run, method"):
    results_table([{"run": "a"}])
  with pytest.raises(UserError, match="has more than one method"):
    results_table([row, {**row, "method": "other", "score": "sap"}])
  with pytest.raises(UserError, match="the score 'mig' at step 100 twice"):
    results_table([row, row])
  with pytest.raises(UserError, match="differ in length"):
    results_table({**{name: [row[name]] for name in COLUMNS}, "run": []})
  with pytest.raises(UserError, match="has the columns run, method"):
    results_table({"run": ["a"]})


def test_an_empty_table():
  table = results_table([])
  assert len(table) == 0 and table["run"].nunique() == 0 and missing_models(table) == 0
  assert sorted(table["method"].unique()) == [] and len(one_step(table, "best")) == 0
  assert len(pivot(table, ["mig"])) == 0


def test_tables_of_arrays():
  values = np.arange(8.0).reshape(1, 2, 2, 1, 2)
  table = table_of(values)
  assert sorted(table["value"].tolist()) == values.ravel().tolist()
