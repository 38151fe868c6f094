import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.training import RunDescription

BEFORE = "beta: 4\nlatents: 9\n"


def test_by_default_there_is_none_and_nothing_is_kept(tmp_path):
  description = RunDescription()
  assert description == RunDescription() and description.text() == ""
  description.write(tmp_path, "beta: 4")
  description.check_unchanged(tmp_path, "beta: 5")
  assert not list(tmp_path.iterdir())


def test_what_was_kept_is_compared_line_by_line(tmp_path):
  description = RunDescription(file_name="notes.txt")
  description.check_unchanged(tmp_path, BEFORE)  # nothing is there yet
  description.write(tmp_path, BEFORE)
  assert (tmp_path / "notes.txt").read_text() == BEFORE
  description.check_unchanged(tmp_path, "latents: 9\nbeta: 4")
  with pytest.raises(UserError, match=r"notes\.txt differs .* in 'beta: 4': resume"):
    description.check_unchanged(tmp_path, BEFORE.replace("4", "5"))


def test_a_function_of_ones_own_compares(tmp_path):
  seen = []

  def changed(before, now):
    seen.append((before, now))
    return "beta" if len(seen) > 1 else None

  description = RunDescription(file_name="notes.txt", changed_setting=changed)
  description.write(tmp_path, "old")
  description.check_unchanged(tmp_path, "new")
  with pytest.raises(UserError, match="in 'beta'"):
    description.check_unchanged(tmp_path, "newer")
  assert seen == [("old", "new"), ("old", "newer")]
