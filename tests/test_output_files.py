import pytest

from disentangle_tf import output_files
from disentangle_tf.errors import UserError


def test_a_file_appears_whole_or_not_at_all(tmp_path):
  path = tmp_path / "x.json"
  output_files.write_json(path, {"a": 1})
  with pytest.raises(ValueError):
    output_files.write_json(path, {"a": float("nan")})
  assert path.read_text() == '{\n  "a": 1\n}\n'
  with pytest.raises(RuntimeError), output_files.whole_file(path) as temporary:
    temporary.write_text("half")
    raise RuntimeError
  assert [p.name for p in tmp_path.iterdir()] == ["x.json"]


def test_an_output_folder_is_filled_or_as_it_was(tmp_path):
  path = tmp_path / "out"
  with output_files.whole_output_dir(path) as folder:
    (folder / "a").write_text("whole")
    with (
      pytest.raises(UserError, match="exists and is not empty"),
      output_files.whole_output_dir(path),
    ):
      pass  # another process
  assert [p.name for p in path.iterdir()] == ["a"]
  with (
    pytest.raises(KeyboardInterrupt),
    output_files.whole_output_dir(tmp_path / "new" / "deep") as folder,
  ):
    (folder / "a").write_text("half")
    raise KeyboardInterrupt
  assert list((tmp_path / "new").iterdir()) == []
  empty = tmp_path / "mine"
  empty.mkdir()
  with pytest.raises(RuntimeError), output_files.whole_output_dir(empty) as folder:
    raise RuntimeError
  assert list(empty.iterdir()) == []  # the folder still exists


def test_an_output_folder_that_is_a_file(tmp_path):
  (tmp_path / "x").write_text("")
  with pytest.raises(UserError, match="is a file"):
    output_files.prepare_output_dir(tmp_path / "x")
  with pytest.raises(UserError, match="cannot make"):
    output_files.prepare_output_dir(tmp_path / "x" / "y")


def test_tree_hashes(tmp_path):
  (tmp_path / "a").mkdir()
  (tmp_path / "a" / "b").write_bytes(b"")
  (tmp_path / "c").write_bytes(b"skip")
  empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  assert output_files.sha256_tree(tmp_path, skip=("c",)) == {"a/b": empty}
