import json

import pytest

from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.lease import claim
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.status import (
  DiskUse,
  read_disk_use,
  read_status,
  readable_bytes,
  readable_seconds,
)

PLANS = plan_study({"a": ["a.gin"]}, seeds=100, metrics="m.gin")


def _finish(study, plan, size):
  scores = study.run(plan).scores
  scores.parent.mkdir(parents=True)
  scores.write_bytes(b"x" * 100)
  (study.run(plan).path / "export").write_bytes(b"x" * (size - 100))


def test_the_median_of_what_is_done_tells_what_is_to_come(tmp_path):
  study = StudyFolder(tmp_path)
  assert read_disk_use(study, PLANS) is None
  for plan, size in zip(PLANS, (1_000, 9_000, 2_000), strict=False):
    _finish(study, plan, size)
  use = read_disk_use(study, PLANS)
  assert (use.per_run, use.left) == (2_000, 97 * 2_000)
  assert use.free > 0
  for plan in PLANS[3:]:
    _finish(study, plan, 3_000)  # of many, some are looked at
  use = read_disk_use(study, PLANS)
  assert (use.per_run, use.left) == (3_000, 0)
  assert use.to_text() == "a run needs 3.0 kB on disk (median)"


def test_too_little_space_is_told():
  words = "a run needs 4.2 MB on disk (median); the runs left need about 53.0 GB"
  assert DiskUse(4.2e6, 5.3e10, 6e10).to_text() == words
  little = DiskUse(4.2e6, 5.3e10, 1e10).to_text()
  assert little == f"{words}, but only 10.0 GB are free"


@pytest.mark.parametrize(
  ("count", "text"),
  [(0, "0.0 kB"), (1_500, "1.5 kB"), (2e9, "2.0 GB"), (3.45e15, "3,450.0 TB")],
)
def test_bytes_for_people(count, text):
  assert readable_bytes(count) == text


STATUS_PLANS = plan_study({"a": ["a.gin"], "b": ["b.gin"]}, seeds=4, metrics="m.gin")


def _status_finish(study, plan, seconds):
  folder = study.run(plan).path
  (folder / "scores").mkdir(parents=True)
  (folder / "scores" / "scores.json").write_text("{}")
  (folder / "timing.json").write_text(json.dumps({"seconds": seconds}))


def test_counts_rate_and_time_left(tmp_path):
  study = StudyFolder(tmp_path)
  nothing = read_status(study, STATUS_PLANS)
  assert nothing.counts == {"done": 0, "failed": 0, "running": 0, "waiting": 8}
  assert nothing.seconds_left is None and not nothing.is_finished
  _status_finish(study, STATUS_PLANS[0], 10)  # method a
  _status_finish(study, STATUS_PLANS[2], 30)
  _status_finish(study, STATUS_PLANS[1], 100)  # method b
  failed = study.run(STATUS_PLANS[3])
  failed.path.mkdir(parents=True)
  failed.record_failure({"exit_code": 2, "last_lines": ["why", "no such file"]})
  with claim(study.run(STATUS_PLANS[4]).path):
    status = read_status(study, STATUS_PLANS)
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
  for plan in STATUS_PLANS:
    _status_finish(study, plan, 1)
  status = read_status(study, STATUS_PLANS)
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
