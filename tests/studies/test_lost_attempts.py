import json

from disentangle_tf.studies.lost_attempts import record_lost_attempt
from disentangle_tf.studies.run_folder import RunFolder


def test_three_that_were_seen_are_a_failure(tmp_path):
  folder = RunFolder(tmp_path)
  how = {"run": "a", "exit_code": -9, "last_lines": ["killed"]}
  assert record_lost_attempt(folder, how, seen=True)
  assert record_lost_attempt(folder, {"host": "x"})
  assert record_lost_attempt(folder, how, seen=True)
  assert folder.state == "waiting"
  assert not record_lost_attempt(folder, how, seen=True)
  assert folder.state == "failed"
  assert folder.read_failure() == how
  folder.retry()
  assert record_lost_attempt(folder, how, seen=True)


def test_ten_that_were_only_found_are_a_failure(tmp_path):
  folder = RunFolder(tmp_path)
  for _ in range(9):
    assert record_lost_attempt(folder, {"host": "x"})
  assert not record_lost_attempt(folder, {"host": "x"})
  lost = json.loads((tmp_path / "lost_attempts.json").read_text())
  assert len(lost) == 10
  (line,) = folder.read_failure()["last_lines"]
  assert line == "lost 10 times, see lost_attempts.json"
