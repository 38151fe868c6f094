import json

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.folders import RunFolder
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.run_scores import (
  TRAINING_SCORES,
  check_same_settings,
  comparable,
  read_run_scores,
)

PLANS = plan_study({"a": ["a.gin"]}, seeds=3, metrics="m.gin")


def _run(path, plan, final, lines=()):
  folder = RunFolder(path / str(plan.seed))
  folder.scores.parent.mkdir(parents=True)
  folder.scores.write_text(json.dumps({"model": {"step": 9}, "scores": {}, **final}))
  (folder.path / TRAINING_SCORES).write_text("\n".join(map(json.dumps, lines)))
  return read_run_scores(folder, plan)


def test_settings_go_to_the_scores_that_they_made(tmp_path):
  dci = {"scores": ["disentanglement", "completeness"], "settings": {"num_points": 5}}
  line = {"step": 3, "scores": {"disentanglement": 0.5}, "measured": {"dci": dci}}
  final = {"settings": {"mig": {"num_points": 7}}, "repeats": 2, "versions": {"a": "1"}}
  found = _run(tmp_path, PLANS[0], final, [line | {"repeats": 1}])
  (during,) = found.during
  assert during.measured == {"disentanglement": "dci", "completeness": "dci"}
  assert during.settings == {"dci": {"num_points": 5, "repeats": 1}}
  assert found.final.settings == {"mig": {"num_points": 7, "repeats": 2}}
  assert found.final.step == 9 and found.versions == {"a": "1"}


def test_files_of_earlier_versions_are_read(tmp_path):
  found = _run(tmp_path, PLANS[0], {}, [{"step": 3, "scores": {"mig": 0.5}}])
  assert found.during[0].scores == {"mig": 0.5}
  assert found.during[0].settings == found.final.settings == {}


def test_runs_on_other_data_compare():
  assert comparable({"num_points": 5, "data": 1, "factors": 2}) == {"num_points": 5}


def test_what_one_run_says_less_of_is_no_difference(tmp_path):
  settings = ({"num_points": 5}, {"num_points": 5, "log_likelihoods": "sampled"})
  runs = [
    _run(tmp_path, plan, {"settings": {"evidence": own}})
    for plan, own in zip(PLANS, settings, strict=False)
  ]
  check_same_settings(runs)
  runs.append(_run(tmp_path, PLANS[2], {"settings": {"evidence": {"num_points": 6}}}))
  with pytest.raises(UserError, match="a/seed_0 was scored with num_points = 5"):
    check_same_settings(runs)
