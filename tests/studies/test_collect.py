import json

import pyarrow.csv
import pyarrow.parquet
import pytest

from disentangle_tf.studies.collect import collect, read_results, write_table
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.study_folder import StudyFolder

PLANS = plan_study(
  {"a": {"files": ["a.gin"], "sweep": {"BETA": [1, 4]}}},
  data={"cars": ["c.gin"]},
  seeds=2,
  metrics="m.gin",
)


def _finish(study, plan, value):
  folder = study.run(plan).path
  (folder / "scores").mkdir(parents=True)
  content = {"scores": {"sap": 0.5, "mig": value}, "model": {"step": 20}}
  (folder / "scores" / "scores.json").write_text(json.dumps(content))


@pytest.fixture
def study(tmp_path):
  study = StudyFolder(tmp_path)
  _finish(study, PLANS[1], 0.25)
  return study


def test_one_row_per_run_step_and_score(study):
  lines = [{"step": 10, "scores": {"mig": 0.9}}, {"step": 20, "scores": {"mig": 0.1}}]
  path = study.run(PLANS[1]).path / "scores.jsonl"
  path.write_text("".join(json.dumps(line) + "\n" for line in lines))
  assert collect(study, PLANS) == 1
  rows = pyarrow.parquet.read_table(study.path / "results.parquet").to_pylist()
  shared = {"run": "cars/a_BETA_4/seed_0", "method": "a", "data": "cars"}
  shared |= {"setting": "BETA=4", "strength": 1, "seed": 0}
  assert rows == [
    {**shared, "step": 10, "score": "mig", "value": 0.9},
    {**shared, "step": 20, "score": "mig", "value": 0.25},
    {**shared, "step": 20, "score": "sap", "value": 0.5},
  ]
  assert pyarrow.csv.read_csv(study.path / "results.csv").to_pylist() == rows


def test_what_was_collected_is_not_read_again(study):
  collect(study, PLANS)
  study.run(PLANS[1]).scores.write_text("damaged")
  _finish(study, PLANS[0], 0.75)
  assert collect(study, PLANS) == 2
  table = read_results(study.path, planned=4)
  assert table.select(score="mig").column("value").tolist() == [0.75, 0.25]
  assert table.missing_models() == 2


@pytest.mark.parametrize("taken", [None, "best", "last"])
def test_a_table_of_others_comes_back(study, taken):
  collect(study, PLANS)
  table = read_results(study.path)
  table = table.which(taken) if taken else table
  folder = study.path / "copy"
  folder.mkdir()
  write_table(folder, table)
  again = read_results(folder)
  assert again.taken == taken
  for name, column in table.columns.items():
    assert again.column(name).tolist() == column.tolist()
  assert len(pyarrow.csv.read_csv(folder / "results.csv")) == len(table)


def test_runs_of_another_plan_leave_the_table(study):
  collect(study, PLANS)
  others = plan_study(
    {"a": {"files": ["a.gin"], "sweep": {"BETA": [1, 4]}}},
    data={"cars": ["c.gin"]},
    bindings=["STEPS=1"],
    metrics="m.gin",
  )
  study.run(PLANS[1]).scores.unlink()
  assert collect(study, others) == 0
  assert len(read_results(study.path)) == 0


def test_the_order_of_collecting_changes_nothing(tmp_path):
  contents = []
  for order in ((0, 1, 2), (2, 0, 1)):
    study = StudyFolder(tmp_path / str(order))
    for number in order:
      _finish(study, PLANS[number], number / 10)
      collect(study, PLANS)
    contents.append((study.path / "results.parquet").read_bytes())
  assert contents[0] == contents[1]
