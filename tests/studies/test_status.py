import json

import pytest

from disentangle_tf.studies.lease import claim
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.status import read_status, readable_seconds
from disentangle_tf.studies.study_folder import StudyFolder

PLANS = plan_study({"a": ["a.gin"], "b": ["b.gin"]}, seeds=4, metrics="m.gin")


def _finish(study, plan, seconds):
  folder = study.run(plan).path
  (folder / "scores").mkdir(parents=True)
  (folder / "scores" / "scores.json").write_text("{}")
  (folder / "timing.json").write_text(json.dumps({"seconds": seconds}))


def test_counts_rate_and_time_left(tmp_path):
  study = StudyFolder(tmp_path)
  nothing = read_status(study, PLANS)
  assert nothing.counts == {"done": 0, "failed": 0, "running": 0, "waiting": 8}
  assert nothing.seconds_left is None and not nothing.is_finished
  _finish(study, PLANS[0], 10)  # method a
  _finish(study, PLANS[2], 30)
  _finish(study, PLANS[1], 100)  # method b
  failed = study.run(PLANS[3])
  failed.path.mkdir(parents=True)
  failed.record_failure({"exit_code": 2, "last_lines": ["why", "no such file"]})
  with claim(study.run(PLANS[4]).path):
    status = read_status(study, PLANS)
  assert status.counts == {"done": 3, "failed": 1, "running": 1, "waiting": 3}
  assert status.seconds_per_run == 30
  assert status.seconds_left == 2 * 20 + 2 * 100  # medians of a and b
  assert status.failures == [("b/seed_1", "no such file")]
  assert status.to_text().splitlines() == [
    "8 runs: 3 done, 1 failed, 1 running, 3 waiting",
    "a run takes 30.0 s (median); about 4.0 min left with 1 at a time",
    "failed: b/seed_1: no such file",
  ]


def test_a_study_is_finished_when_all_is_done(tmp_path):
  study = StudyFolder(tmp_path)
  for plan in PLANS:
    _finish(study, plan, 1)
  status = read_status(study, PLANS)
  assert status.is_finished
  assert status.to_text().endswith("a run takes 1.0 s (median)")


@pytest.mark.parametrize(
  ("seconds", "text"),
  [
    (0.5, "0.5 s"),
    (119, "119.0 s"),
    (120, "2.0 min"),
    (7200, "2.0 h"),
    (4e5, "4.6 days"),
  ],
)
def test_seconds_for_people(seconds, text):
  assert readable_seconds(seconds) == text
