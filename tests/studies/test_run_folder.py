import json

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.lease import claim
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.run_folder import RunFolder, failure_signature


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
    with pytest.raises(UserError, match="made with another content of a: bring it"):
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
