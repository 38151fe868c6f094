import json

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.folders import (
  KEEP,
  RunFolder,
  StudyFolder,
  failure_signature,
  keep_files,
)
from disentangle_tf.studies.lease import claim
from disentangle_tf.studies.plan import plan_study


@pytest.mark.parametrize(
  ("keep", "left"),
  [
    ("all", {"checkpoints", "export", "tensorboard", "scores", "log.txt"}),
    ("export", {"export", "tensorboard", "scores", "log.txt"}),
    ("scores", {"scores", "log.txt"}),
  ],
)
def test_what_stays_of_a_run_that_is_done(keep, left, tmp_path):
  assert keep in KEEP
  for name in ("checkpoints", "export", "tensorboard", "scores"):
    (tmp_path / name).mkdir()
    (tmp_path / name / "file").write_text("x")
  (tmp_path / "log.txt").write_text("x")
  folder = RunFolder(tmp_path)
  keep_files(folder, keep)  # it is not done yet
  assert len(list(tmp_path.iterdir())) == 5
  folder.scores.write_text("{}")
  keep_files(folder, keep)
  assert {path.name for path in tmp_path.iterdir()} == left


def _plan(**options):
  return plan_study({"a": ["a.gin"]}, metrics="m.gin", **options)[0]


def test_the_state_follows_from_the_files(tmp_path):
  folder = RunFolder(tmp_path / "run")
  assert folder.state == "waiting"
  lease = claim(folder.path)
  assert folder.state == "running"
  folder.record_failure({"exit_code": 1, "last_lines": ["x"]})
  assert folder.state == "failed"
  folder.scores.parent.mkdir()
  folder.scores.write_text("{}")
  assert folder.state == "done"
  lease.release()


def test_a_failure_is_moved_aside_to_be_tried_again(tmp_path):
  folder = RunFolder(tmp_path)
  for number in (1, 2):
    folder.record_failure({"exit_code": number, "last_lines": []})
    folder.retry()
    assert folder.state == "waiting"
  assert sorted(path.name for path in tmp_path.iterdir()) == [
    "failure.1.json",
    "failure.2.json",
  ]


def test_another_plan_is_refused_and_the_difference_named(tmp_path):
  folder = RunFolder(tmp_path)
  folder.check_key(_plan())
  folder.write_plan(_plan())
  folder.check_key(_plan())
  with pytest.raises(UserError, match=r"other settings \(bindings changed\)"):
    folder.check_key(_plan(bindings=["STEPS=3"]))
  with pytest.raises(UserError, match="what the gin files say changed"):
    folder.check_key(_plan(read=lambda files: "other"))


def _with_contents(**contents):
  return _plan(contents=lambda text: contents)


def test_another_content_of_what_is_named_is_refused(tmp_path):
  folder = RunFolder(tmp_path)
  folder.write_plan(_with_contents(a="1"))
  folder.check_key(_with_contents(a="1"))
  folder.check_key(_with_contents(a="1", b="2"))  # b was not there to be read
  for other in ({"a": "3"}, {}, {"b": "1"}):
    with pytest.raises(UserError, match="made with another content of a: restore it"):
      folder.check_key(_with_contents(**other))
  with pytest.raises(UserError, match=r"other settings \(bindings changed\)"):
    folder.check_key(_plan(contents=lambda text: {"a": "1"}, bindings=["X=1"]))


def test_what_an_earlier_version_began_is_kept_if_asked(tmp_path):
  folder = RunFolder(tmp_path)
  plan = _with_contents(a="1")
  earlier = plan.to_json() | {"key": plan.said}
  del earlier["said"], earlier["contents"]
  (tmp_path / "run.json").write_text(json.dumps(earlier))
  folder.check_key(_plan())  # which names nothing, so nothing can differ
  with pytest.raises(UserError, match=r"begun by an earlier version.* content of a:"):
    folder.check_key(plan)
  folder.check_key(plan, older=True)
  with pytest.raises(UserError, match="what the gin files say changed"):
    folder.check_key(_plan(read=lambda files: "other"), older=True)


def test_failures_are_alike_but_for_numbers():
  def failure(line):
    return {"exit_code": 2, "last_lines": ["before", line]}

  alike = [
    failure("the loss is nan at step 20"),
    failure("the loss is nan at step 1e3"),
  ]
  assert len({failure_signature(each) for each in alike}) == 1
  assert failure_signature(alike[0]) != failure_signature(failure("no such file"))
  assert failure_signature({"exit_code": 3, "last_lines": []}) == "exit code N"


def _plans(seeds, **options):
  return plan_study({"a": ["a.gin"]}, seeds=seeds, metrics="m.gin", **options)


def test_plans_come_back_and_a_study_may_grow(tmp_path):
  study = StudyFolder(tmp_path)
  few = _plans(2)
  study.write_plans(few)
  assert study.read_plans() == few
  (tmp_path / few[1].run).mkdir(parents=True)
  study.run(few[1]).write_plan(few[1])
  study.write_plans(_plans(3))
  assert len(study.read_plans()) == 3
  assert set(study.states(few).values()) == {"waiting"}


def test_what_was_begun_otherwise_is_refused(tmp_path):
  study = StudyFolder(tmp_path)
  (plan,) = _plans(1)
  (tmp_path / plan.run).mkdir(parents=True)
  study.run(plan).write_plan(plan)
  with pytest.raises(UserError, match=r"bindings changed"):
    study.write_plans(_plans(1, bindings=["X=1"]))


def test_contents_that_came_later_are_recorded(tmp_path):
  study = StudyFolder(tmp_path)
  (before,) = _plans(1)
  study.run(before).path.mkdir(parents=True)
  study.run(before).write_plan(before)
  (after,) = _plans(1, contents=lambda text: {"x.npz": "1"})
  study.write_plans([after], older=True)
  assert study.run(after).read_plan()["contents"] == {"x.npz": "1"}
  study.write_plans([after])
  with pytest.raises(UserError, match="another content of x.npz"):
    study.write_plans(_plans(1, contents=lambda text: {"x.npz": "2"}))


def test_another_folder_is_no_study(tmp_path):
  with pytest.raises(UserError, match="is not a study"):
    StudyFolder(tmp_path).read_plans()
