import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.study_folder import StudyFolder


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
  with pytest.raises(UserError, match="is no study"):
    StudyFolder(tmp_path).read_plans()
