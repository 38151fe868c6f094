import numpy as np
import pytest
from study_tables import made_up_study, only, row_of, shuffled, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.results_table import COLUMNS, ResultsTable


def _steps(values, score="mig"):
  return ResultsTable.from_rows(
    row_of("a", "m", 0, 0, score, value, step=step) for step, value in values.items()
  )


def test_rows_are_in_one_order_whatever_the_order_they_come_in():
  table = made_up_study(num_strengths=2, num_seeds=2)
  for name, values in shuffled(table).columns.items():
    np.testing.assert_array_equal(values, table.columns[name])
  assert table.column("data").tolist() == sorted(table.column("data").tolist())
  assert len(table) == len(table.column("value")) and table.num_models == 72


def test_columns_are_plain_arrays():
  table = ResultsTable.from_rows([row_of("set", "m", 2, 7, "mig", 0.5)])
  assert list(table.columns) == list(COLUMNS)
  assert {name: values.tolist() for name, values in table.columns.items()} == {
    "run": ["set/m/BETA=4.0/seed_7"], "method": ["m"], "data": ["set"],
    "setting": ["BETA=4.0"], "strength": [2], "seed": [7], "step": [100],
    "score": ["mig"], "value": [0.5],
  }  # fmt: skip


def test_select():
  table = made_up_study(num_strengths=2, num_seeds=3)
  chosen = table.select(data="dsprites", seed=[0, 2], score={"mig", "sap"})
  assert chosen.names("data") == ["dsprites"] and chosen.names("seed") == [0, 2]
  assert chosen.names("score") == ["mig", "sap"] and len(chosen) == 6 * 2 * 2 * 2
  assert len(table.select(method="no such method")) == 0
  with pytest.raises(UserError, match="no column 'metod'; did you mean 'method'"):
    table.select(metod="beta-VAE")


def test_the_maximum_over_training_and_the_last():
  table = _steps({2_400: 0.1, 4_800: 0.9, 7_200: 0.3})
  assert table.which("best").column("value").tolist() == [0.9]
  assert table.which("last").column("value").tolist() == [0.3]
  assert table.which("last").column("step").tolist() == [7_200]
  assert table.which("best").taken == "best" and table.taken is None


def test_the_best_of_what_should_be_low_is_the_lowest():
  table = _steps({1: 5.0, 2: 3.0, 3: 4.0}, score="gaussian_total_correlation")
  assert table.which("best").column("value").tolist() == [3.0]
  higher = _steps({1: 5.0, 2: 3.0, 3: 4.0}, score="mig")
  assert higher.which("best").column("value").tolist() == [5.0]


def test_best_is_taken_for_each_model_and_score():
  rows = [
    row_of("a", "m", 0, seed, score, seed + value * (score == "mig") + step, step=step)
    for seed in range(3)
    for score, value in (("mig", 10), ("sap", 0))
    for step in (1, 2, 3)
  ]
  best = ResultsTable.from_rows(rows).which("best").pivot(["sap", "mig"])
  assert best.values.tolist() == [[3, 13], [4, 14], [5, 15]]


def test_best_and_last_are_never_mixed():
  table = _steps({1: 0.1, 2: 0.2})
  best, last = table.which("best"), table.which("last")
  assert best.which("best") is best
  with pytest.raises(UserError, match="has the best scores of training only"):
    best.which("last")
  with pytest.raises(UserError, match="do not compare"):
    ResultsTable.concatenate([best, last])
  with pytest.raises(UserError, match="which is 'first'"):
    table.which("first")
  assert best.select(score="mig").taken == "best"


def test_several_steps_must_be_chosen_from():
  with pytest.raises(UserError, match=r"several steps: take which\(\"best\"\)"):
    _steps({1: 0.1, 2: 0.2}).pivot()


def test_pivot_is_wide_and_masks_what_is_missing():
  table = made_up_study(num_strengths=2, num_seeds=2)
  table = only(table, score="mig", seed=1)
  wide = table.pivot(["sap", "mig"])
  assert wide.scores == ("sap", "mig") and len(wide) == 72
  np.testing.assert_array_equal(np.ma.getmaskarray(wide.values)[:, 1], wide.seed == 1)
  row = np.flatnonzero(wide.seed == 0)[5]
  found = table.select(run=wide.run[row], score="sap")
  assert found.column("value").tolist() == [wide.values[row, 0]]
  assert found.column("method")[0] == wide.method[row]
  assert found.column("data")[0] == wide.data[row]
  assert found.column("strength")[0] == wide.strength[row]
  assert len(wide.complete()) == 36
  models, values = wide.with_score("mig")
  assert len(models) == 36 and np.isfinite(values).all()


def test_pivot_of_a_score_that_nobody_has():
  wide = made_up_study(num_strengths=1, num_seeds=1).pivot(["mig", "no_such_score"])
  assert np.ma.getmaskarray(wide.values)[:, 1].all() and len(wide) == 18
  assert len(made_up_study(num_strengths=1, num_seeds=1).pivot(["no"])) == 0


def test_concatenation():
  table = made_up_study(num_strengths=2, num_seeds=2)
  parts = [table.select(data=name) for name in reversed(table.names("data"))]
  joined = ResultsTable.concatenate(parts)
  for name, values in joined.columns.items():
    np.testing.assert_array_equal(values, table.columns[name])
  with pytest.raises(UserError, match="twice"):
    ResultsTable.concatenate([table, table])


def test_missing_models_are_counted():
  table = made_up_study(num_strengths=2, num_seeds=3)  # 3 x 6 x 2 x 3 = 108
  assert table.missing_models() == 0
  fewer = table.where(table.column("run") != table.names("run")[0])
  assert fewer.missing_models(["mig"]) == 1
  assert only(table, score="mig", seed=2).missing_models(["mig", "sap"]) == 36
  assert only(table, score="mig", seed=2).missing_models(["sap"]) == 0
  planned = ResultsTable(table.columns, planned=120)
  assert planned.missing_models(["mig"]) == 12
  assert planned.select(score="mig").planned == 120  # no model is lost
  assert planned.select(data="dsprites").planned is None
  assert planned.select(data="dsprites").missing_models(["mig"]) == 0
  assert ResultsTable.concatenate([planned.select(score=["mig"])]).planned == 120


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
    ResultsTable.from_rows([{**row_of("a", "m", 0, 0, "mig", 0.5), **change}])


def test_wrong_rows_are_refused():
  row = row_of("a", "m", 0, 0, "mig", 0.5)
  with pytest.raises(UserError, match="it must have run, method"):
    ResultsTable.from_rows([{"run": "a"}])
  with pytest.raises(UserError, match="has more than one method"):
    ResultsTable.from_rows([row, {**row, "method": "other", "score": "sap"}])
  with pytest.raises(UserError, match="the score 'mig' at step 100 twice"):
    ResultsTable.from_rows([row, row])
  with pytest.raises(UserError, match="differ in length"):
    ResultsTable({**{name: [row[name]] for name in COLUMNS}, "run": []})
  with pytest.raises(UserError, match="has the columns run, method"):
    ResultsTable({"run": ["a"]})


def test_an_empty_table():
  table = ResultsTable.from_rows([])
  assert len(table) == 0 and table.num_models == 0 and table.missing_models() == 0
  assert table.names("method") == [] and len(table.which("best")) == 0
  assert len(table.pivot(["mig"])) == 0


def test_tables_of_arrays():
  values = np.arange(8.0).reshape(1, 2, 2, 1, 2)
  table = table_of(values)
  assert sorted(table.column("value").tolist()) == values.ravel().tolist()
