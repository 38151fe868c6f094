import pytest

from disentangle_tf.commands.gin_text import gin_text
from disentangle_tf.errors import UserError


def test_includes_stand_in_their_place_and_comments_are_gone(tmp_path):
  (tmp_path / "a.gin").write_text("# a comment\n\nA = 1\n")
  (tmp_path / "b.gin").write_text(f'B = 2\ninclude "{tmp_path}/a.gin"\n  # more\nC = 3')
  assert (
    gin_text([tmp_path / "b.gin", tmp_path / "a.gin"]) == "B = 2\nA = 1\nC = 3\nA = 1"
  )


def test_shipped_files_are_found_from_any_folder(tmp_path, monkeypatch):
  monkeypatch.chdir(tmp_path)
  text = gin_text(["gin/runs/demo_overlap.gin"])
  assert text.splitlines()[-2] == "BETA = 0.7"
  assert "DATA = @data.XYSquares()" in text


def test_files_that_are_not_there_or_include_themselves(tmp_path):
  with pytest.raises(UserError, match="there is no gin file nowhere.gin"):
    gin_text(["nowhere.gin"])
  (tmp_path / "a.gin").write_text(f'include "{tmp_path}/a.gin"\n')
  with pytest.raises(UserError, match="includes itself"):
    gin_text([tmp_path / "a.gin"])
