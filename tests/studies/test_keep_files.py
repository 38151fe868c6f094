import pytest

from disentangle_tf.studies.keep_files import KEEP, keep_files
from disentangle_tf.studies.run_folder import RunFolder


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
