import pytest

from disentangle_tf.studies.disk_use import DiskUse, read_disk_use, readable_bytes
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.study_folder import StudyFolder

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
  assert use.to_text() == "a run keeps 3.0 kB (median)"


def test_too_little_space_is_told():
  words = "a run keeps 4.2 MB (median); those left will keep about 53.0 GB"
  assert DiskUse(4.2e6, 5.3e10, 6e10).to_text() == words
  little = DiskUse(4.2e6, 5.3e10, 1e10).to_text()
  assert little == f"{words}, but only 10.0 GB are free"


@pytest.mark.parametrize(
  ("count", "text"),
  [(0, "0.0 kB"), (1_500, "1.5 kB"), (2e9, "2.0 GB"), (3.45e15, "3,450.0 TB")],
)
def test_bytes_for_people(count, text):
  assert readable_bytes(count) == text
