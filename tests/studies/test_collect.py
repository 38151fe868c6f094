import json
import os
import shutil

import pyarrow.csv
import pyarrow.parquet
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import score_against_strength
from disentangle_tf.studies.collect import collect
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.results_files import (
  Results,
  read_results,
  write_results_files,
)
from disentangle_tf.studies.results_table import one_step, select
from disentangle_tf.studies.titles import lower_is_better

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
  assert collect(study, PLANS)["run"].nunique() == 1
  rows = pyarrow.csv.read_csv(study.path / "results.csv").to_pylist()
  shared = {"run": "cars/a_BETA_4/seed_0", "method": "a", "data": "cars"}
  shared |= {"setting": "BETA=4", "strength": 1, "seed": 0}
  assert rows == [
    {**shared, "step": 10, "score": "mig", "value": 0.9},
    {**shared, "step": 20, "score": "mig", "value": 0.25},
    {**shared, "step": 20, "score": "sap", "value": 0.5},
  ]
  # results.parquet also has the origin of each run, which is not recorded here.
  origin = {"key": None, "versions": None}
  table = pyarrow.parquet.read_table(study.path / "results.parquet").to_pylist()
  assert table == [{**row, **origin} for row in rows]


def _finish_anew(study, plan, value):
  shutil.rmtree(study.run(plan).path, ignore_errors=True)
  _finish(study, plan, value)


def _values(study, plans, **wanted):
  """{run: values} of the table that is collected now."""
  collect(study, plans)
  table = select(read_results(study.path), score="mig", **wanted)
  runs, values = table["run"].tolist(), table["value"].tolist()
  return dict(zip(runs, values, strict=True))


def _sweep(*values):
  return plan_study({"a": {"files": ["a.gin"], "sweep": {"BETA": values}}}, metrics="m")


@pytest.mark.parametrize("begun", [(2, 4), (4,), (4, 2, 8)])
def test_a_study_that_grows_shrinks_or_turns_has_the_strengths_of_its_plan(
  tmp_path, begun
):
  study = StudyFolder(tmp_path)
  for values in (begun, (1, 2, 4), (4, 1), (4,)):
    plans = _sweep(*values)
    for plan in plans:
      _finish_anew(study, plan, plan.settings["BETA"] / 10)
    collect(study, plans)
    table = read_results(tmp_path)
    curve = score_against_strength(table, scores=("mig",))["", "mig"]["a"]
    assert curve.x.tolist() == list(range(len(values)))
    assert curve.y.tolist() == [value / 10 for value in values]
    assert curve.counts.tolist() == [1] * len(values)


def test_runs_that_were_redone_or_are_gone(study):
  for plan, value in zip(PLANS, (0.1, 0.2, 0.3, 0.4), strict=True):
    _finish_anew(study, plan, value)
  before = _values(study, PLANS)
  assert sorted(before.values()) == [0.1, 0.2, 0.3, 0.4]
  scores = study.run(PLANS[0]).scores
  stamp = scores.stat()
  scores.write_text(scores.read_text().replace("0.1", "0.9"))
  os.utime(scores, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # as a copy may do
  shutil.rmtree(study.run(PLANS[1]).path)
  expected = {**before, PLANS[0].run: 0.9}
  del expected[PLANS[1].run]
  assert _values(study, PLANS) == expected
  lines = study.run(PLANS[2]).path / "scores.jsonl"
  for value in (0.5, 0.7):
    lines.write_text(json.dumps({"step": 5, "scores": {"mig": value}}) + "\n")
    assert _values(study, PLANS, step=5) == {PLANS[2].run: value}
  lines.unlink()
  assert _values(study, PLANS) == expected


def test_a_run_of_another_plan_in_its_place_is_refused(study):
  folder = study.run(PLANS[1])
  folder.write_plan(PLANS[1])
  collect(study, PLANS)
  folder.write_plan(PLANS[3])  # somebody copied seed 1 over seed 0
  with pytest.raises(UserError, match=r"seed.* changed"):
    collect(study, PLANS)


@pytest.mark.parametrize("text", ["damaged", "[]", '{"scores": 3}', "{}"])
def test_damaged_files_are_named(study, text):
  study.run(PLANS[1]).scores.write_text(text)
  with pytest.raises(UserError, match=r"seed_0/scores/scores.json is damaged"):
    collect(study, PLANS)


@pytest.mark.parametrize("taken", [None, "best", "last"])
def test_a_table_of_others_comes_back(study, taken):
  collect(study, PLANS)
  table = read_results(study.path)
  table = one_step(table, taken) if taken else table
  folder = study.path / "copy"
  folder.mkdir()
  write_results_files(folder, Results(table))
  again = read_results(folder)
  assert again.attrs["taken"] == taken
  for name, column in table.items():
    assert again[name].tolist() == column.tolist()
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
  assert collect(study, others)["run"].nunique() == 0
  assert len(read_results(study.path)) == 0


def _line(step, score, value, **settings):
  measured = {"mig": {"scores": [score], "settings": settings}}
  return {"step": step, "scores": {score: value}, "measured": measured, "repeats": 1}


def _score_during_training(study, plan, final, lines):
  _finish(study, plan, 0.25)
  folder = study.run(plan)
  content = json.loads(folder.scores.read_text())
  folder.scores.write_text(json.dumps(content | final))
  text = "".join(json.dumps(line) + "\n" for line in lines)
  (folder.path / "scores.jsonl").write_text(text)


def _table(study):
  collect(study, PLANS)
  table = read_results(study.path)
  names = ("seed", "step", "score")
  places = zip(*(table[name].tolist() for name in names), strict=True)
  values = table["value"].tolist()
  return dict(zip(places, values, strict=True)), table


@pytest.mark.parametrize("recorded", [True, False])
def test_scores_at_the_last_step_that_the_final_evaluation_lacks_stay(
  tmp_path, recorded
):
  study = StudyFolder(tmp_path)
  lines = [_line(step, "dci", step / 100, num_points=7) for step in (10, 20)]
  if not recorded:
    lines = [{name: line[name] for name in ("step", "scores")} for line in lines]
  _score_during_training(study, PLANS[0], {}, lines)
  found, table = _table(study)
  assert found[0, 20, "dci"] == 0.2 and found[0, 20, "mig"] == 0.25
  assert select(one_step(table, "last"), score="dci")["value"].tolist() == [0.2]


def test_scores_of_other_settings_have_another_name(tmp_path):
  study = StudyFolder(tmp_path)
  final = {"settings": {"mig": {"num_points": 10_000, "num_bins": 20}}, "repeats": 1}
  alike = {"num_points": 10_000, "num_bins": 20}
  lines = [
    _line(10, "mig", 0.9, num_points=50, num_bins=20),
    _line(15, "mig", 0.3, **alike),
    _line(20, "mig", 0.8, num_points=50, num_bins=20),
  ]
  _score_during_training(study, PLANS[0], final, lines)
  found, table = _table(study)
  few = "mig (num_points=50)"
  assert found == {
    (0, 10, few): 0.9,
    (0, 20, few): 0.8,
    (0, 15, "mig"): 0.3,
    (0, 20, "mig"): 0.25,
    (0, 20, "sap"): 0.5,
  }
  best = pivot(one_step(table, "best"), ["mig", few])[["mig", few]].values.tolist()
  assert best == [[0.3, 0.9]]


def test_repeats_factors_and_data_count_as_settings(tmp_path):
  study = StudyFolder(tmp_path)
  settings = {"num_points": 9}
  shared = {"factors": ["x", "y"], "data": {"class": "Spot", "arguments": {}}}
  final = {"settings": {"mig": settings}, "repeats": 1, "factor_bins": 20, **shared}
  changes = (
    ({}, "mig"),
    ({"repeats": 5}, "mig (repeats=1)"),
    ({"factor_bins": 5}, "mig (factor_bins=20)"),
    ({"factors": ["x"]}, "mig (factors=x y)"),
    ({"data": {"class": "Other", "arguments": {}}}, "mig (data=Spot)"),
  )
  for plan, (change, name) in zip((PLANS[0],) * 5, changes, strict=True):
    shutil.rmtree(study.run(plan).path, ignore_errors=True)
    line = {**_line(10, "mig", 0.9, **settings), "factor_bins": 20, **shared}
    _score_during_training(study, plan, {**final, **change}, [line])
    found, _ = _table(study)
    assert found[0, 10, name] == 0.9, change


def test_settings_that_differ_between_runs_without_a_final_score(tmp_path):
  """Under one name they would be pooled over runs."""
  study = StudyFolder(tmp_path)
  for plan, points in zip(PLANS[:2], (5, 9), strict=True):
    lines = [_line(10, "dci", points / 10, num_points=points, num_bins=20)]
    _score_during_training(study, plan, {}, lines)
  _, table = _table(study)
  assert sorted(table["score"].unique()) == [
    "dci (num_points=5)",
    "dci (num_points=9)",
    "mig",
    "sap",
  ]
  assert lower_is_better("gaussian_total_correlation (num_points=5)") == (
    lower_is_better("gaussian_total_correlation")
  )


def test_final_scores_of_different_settings_are_refused(tmp_path):
  study = StudyFolder(tmp_path)
  for plan, points in zip(PLANS[:2], (5, 9), strict=True):
    final = {"settings": {"mig": {"num_points": points}}}
    _score_during_training(study, plan, final, [])
  with pytest.raises(UserError, match="num_points = 5 of mig, .* with 9"):
    collect(study, PLANS)


def test_scores_of_several_versions_are_refused_unless_asked_for(tmp_path):
  study = StudyFolder(tmp_path)
  for plan, version in zip(PLANS[:2], ("2.3", "2.4"), strict=True):
    _score_during_training(study, plan, {"versions": {"numpy": version}}, [])
  with pytest.raises(UserError, match=r"numpy 2.3 \(now 2.4\): .*--mix_versions"):
    collect(study, PLANS)
  study.versions.mix()
  assert collect(study, PLANS)["run"].nunique() == 2


def test_scores_after_the_final_evaluation_are_refused(tmp_path):
  study = StudyFolder(tmp_path)
  _score_during_training(study, PLANS[0], {}, [_line(30, "mig", 0.5)])
  with pytest.raises(UserError, match="goes to step 30, but .* is of step 20"):
    collect(study, PLANS)


def test_the_order_of_collecting_changes_nothing(tmp_path):
  contents = []
  for order in ((0, 1, 2), (2, 0, 1)):
    study = StudyFolder(tmp_path / str(order))
    for number in order:
      _finish(study, PLANS[number], number / 10)
      collect(study, PLANS)
    contents.append((study.path / "results.parquet").read_bytes())
  assert contents[0] == contents[1]


def test_every_repeat_of_a_score_is_a_row(study):
  path = study.run(PLANS[1]).scores
  content = json.loads(path.read_text())
  content["scores_of_repeats"] = {"mig": [0.125, 0.375]}
  path.write_text(json.dumps(content))
  collect(study, PLANS)
  table = read_results(study.path)
  assert sorted(table["score"].unique()) == [
    "mig",
    "repeat_0_mig",
    "repeat_1_mig",
    "sap",
  ]
  assert table["value"].tolist() == [0.25, 0.125, 0.375, 0.5]
