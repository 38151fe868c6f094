from study_tables import row_of

from disentangle_tf.studies.collect import collect, study_results
from disentangle_tf.studies.drawing import finished_runs
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.given_runs import write_given_runs
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.results_files import Results, read_results_file
from disentangle_tf.studies.results_table import results_table
from disentangle_tf.studies.status import read_disk_use, read_status
from disentangle_tf.studies.worker import Worker

PLANS = plan_study(
  {"a": {"files": ["a.gin"], "sweep": {"BETA": [1, 4]}}}, seeds=2, metrics="m.gin"
)
VERSIONS = {"numpy": "2.3"}


def _given(plan, value):
  rows = [
    {
      **row_of("", "a", plan.strength, plan.seed, "mig", value * step / 20, step=step),
      "run": plan.run,
      "setting": f"BETA={plan.settings['BETA']}",
    }
    for step in (10, 20)
  ]
  key = plan.key[:16]
  return Results(results_table(rows), {plan.run: key}, {plan.run: VERSIONS})


def _score(plan, folder):
  (folder / "scores").mkdir()
  text = (
    '{"scores": {"mig": 0.25}, "model": {"step": 20}, "versions": {"numpy": "2.3"}}'
  )
  (folder / "scores" / "scores.json").write_text(text)


def test_a_given_run_is_done_and_is_trained_by_nobody(tmp_path):
  study = StudyFolder(tmp_path)
  write_given_runs(study, PLANS, _given(PLANS[1], 0.75))
  assert read_status(study, PLANS).counts["done"] == 1
  assert read_disk_use(study, PLANS) is None  # no run was done here
  taken = []

  def perform(plan, folder):
    taken.append(plan.run)
    _score(plan, folder)

  Worker(tmp_path, PLANS, perform).work()
  assert taken == [plan.run for plan in PLANS if plan is not PLANS[1]]
  assert read_status(study, PLANS).is_finished

  table = collect(study, PLANS)
  assert table["run"].nunique() == 4
  given = table[table["run"] == PLANS[1].run]
  assert given[["step", "value"]].to_numpy().tolist() == [[10, 0.375], [20, 0.75]]
  found = read_results_file(tmp_path)
  assert found.keys == {plan.run: plan.key[:16] for plan in PLANS}
  assert found.versions == {plan.run: VERSIONS for plan in PLANS}
  runs = finished_runs(study, PLANS)
  assert [run.scores["mig"] for run in runs] == [0.25, 0.75, 0.25, 0.25]
  assert not runs[1].export.exists()


def test_a_run_that_was_scored_here_keeps_its_scores(tmp_path):
  study = StudyFolder(tmp_path)
  Worker(tmp_path, PLANS[:1], _score).work()
  write_given_runs(study, PLANS, _given(PLANS[0], 0.5))
  assert not study.run(PLANS[0]).given.exists()
  assert study_results(study, PLANS).table["value"].tolist() == [0.25]
