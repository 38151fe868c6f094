import pytest
from study_tables import row_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.plan import plan_study, setting_text
from disentangle_tf.studies.planned_results import finished_in_table, planned_results
from disentangle_tf.studies.results_files import Results
from disentangle_tf.studies.results_table import missing_models, results_table

PLANS = plan_study(
  {"a": {"files": ["a.gin"], "sweep": {"BETA": [0.5, 1, 4]}}},
  data={"cars": ["c.gin"]},
  seeds=2,
  metrics="m.gin",
)


def _rows(plan, *, steps=(10, 20), **changed):
  setting = setting_text(plan)
  for step in steps:
    row = row_of("cars", "a", 0, plan.seed, "mig", step / 100, step=step)
    yield {**row, "run": plan.run, "setting": setting, **changed}


def _results(*plans, **origin):
  rows = [row for plan in plans for row in _rows(plan)]
  return Results(results_table(rows), **origin)


def test_runs_get_the_strengths_of_the_plan_and_missing_ones_count():
  found = planned_results(_results(PLANS[1], PLANS[2]), PLANS)
  table = found.results.table
  assert dict(zip(table["run"], table["strength"], strict=True)) == {
    PLANS[1].run: 1,
    PLANS[2].run: 2,
  }
  assert missing_models(table[table["step"] == 20]) == 4
  assert found.without_key == [PLANS[1].run, PLANS[2].run]


def test_notes_say_what_is_known_of_a_run():
  keys = {PLANS[0].run: PLANS[0].key[:16], PLANS[1].run: "0" * 16}
  rows = [
    *(row for plan in PLANS[:3] for row in _rows(plan)),
    *_rows(PLANS[0], run="foreign"),
  ]
  found = planned_results(Results(results_table(rows), keys, {"foreign": {}}), PLANS)
  assert found.left_out == ["foreign"] and found.results.versions == {}
  assert found.with_other_key == [PLANS[1].run]
  assert found.without_key == [PLANS[2].run]
  assert [note.partition(": ")[0] for note in found.notes()] == [
    "1 runs of the given tables do not belong to the study and are left out (the first "
    "is 'foreign')",
    "1 runs of the given tables have no key",
    "1 runs of the given tables have another key",
  ]
  complete = _results(*PLANS, keys={plan.run: plan.key[:16] for plan in PLANS})
  assert planned_results(complete, PLANS).notes() == []


@pytest.mark.parametrize(
  ("column", "value"),
  [("method", "b"), ("data", "boats"), ("setting", "BETA=1.0"), ("seed", 1)],
)
def test_a_run_of_the_same_name_but_other_settings_is_refused(column, value):
  rows = results_table(_rows(PLANS[1], **{column: value}))
  with pytest.raises(UserError, match=f"has the {column} {value!r}, the study plans"):
    planned_results(Results(rows), PLANS)


def test_finished_runs_have_their_last_scores_and_no_model():
  versions = {PLANS[4].run: {"numpy": "2.3"}}
  results = planned_results(_results(*PLANS[3:5], versions=versions), PLANS).results
  first, second = finished_in_table(results, PLANS)
  assert (first.run, first.settings, first.seed) == ("a, cars", {"BETA": 0.5}, 1)
  assert first.scores == {"mig": 0.2} and second.versions == {"numpy": "2.3"}
  with pytest.raises(UserError, match="needs the models, which a results table lacks"):
    assert first.export
