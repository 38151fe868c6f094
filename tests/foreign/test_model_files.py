import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.model_files import find_kind, find_models, holds_arrays

TORCH_FILE = pathlib.Path(__file__).parent / "other_formats" / "traced.pt"


def test_a_folder_of_other_formats(tmp_path):
  shutil.copy(TORCH_FILE, tmp_path / "vae.pt")
  with pytest.raises(UserError, match="vae.pt is TorchScript"):
    find_models([str(tmp_path)])
  (tmp_path / "vae.onnx").write_bytes(b"content")
  assert find_models([str(tmp_path)]) == [tmp_path / "vae.onnx"]


def test_other_formats_are_refused_before_tensorflow_starts(tmp_path):
  shutil.copy(TORCH_FILE, tmp_path / "vae.pt")
  command = (
    "import sys; sys.argv = ['evaluate', '--model', sys.argv[1], '--scan_only']\n"
    "from disentangle_tf.commands.evaluate import main\n"
    "try:\n  main()\n"
    "finally:\n  assert 'tensorflow' not in sys.modules"
  )
  done = subprocess.run(
    [sys.executable, "-c", command, tmp_path / "vae.pt"],
    capture_output=True,
    text=True,
    check=False,
  )
  assert done.returncode == 2 and "torch.onnx.export" in done.stderr, done


@pytest.mark.parametrize(
  ("name", "kind"),
  [
    ("vae.onnx", "onnx"),
    ("VAE.ONNX", "onnx"),
    ("vae.keras", "keras"),
    ("codes.npz", "arrays"),
    ("codes.NPY", "arrays"),
    ("vae.pt", None),
    ("npz", None),
    ("codes.npz.txt", None),
  ],
)
def test_files_by_their_names(name, kind, tmp_path):
  path = tmp_path / name
  assert find_kind(path) is None  # nothing is there yet
  path.touch()
  assert find_kind(path) == find_kind(str(path)) == kind
  assert holds_arrays(path) == (kind == "arrays")


def test_folders_by_what_they_hold(tmp_path):
  folder = tmp_path / "codes.npz"  # a folder's own name tells nothing
  folder.mkdir()
  assert find_kind(folder) is None and not holds_arrays(folder)
  for name in ("saved_model.pb", "saved_model.pbtxt"):
    (folder / name).touch()
    assert find_kind(folder) == "saved_model"
    (folder / name).unlink()


ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path):
  for name in ("a/export", "b/export"):
    (tmp_path / name / "variables").mkdir(parents=True)
    (tmp_path / name / "saved_model.pb").touch()
    (tmp_path / name / "variables" / "inner.npz").touch()
  for name in ("c.onnx", "b/d.keras", "codes.npz", "notes.txt"):
    (tmp_path / name).write_bytes(b"content")
  return tmp_path


def names(paths, folder):
  return [pathlib.Path(path).relative_to(folder).as_posix() for path in paths]


def test_folders_patterns_and_files(folder):
  every = ["c.onnx", "codes.npz", "a/export", "b/d.keras", "b/export"]
  assert sorted(names(find_models([str(folder)]), folder)) == sorted(every)
  exports = find_models([f"{folder}/*/export"])
  assert names(exports, folder) == ["a/export", "b/export"]
  twice = find_models([str(folder / "c.onnx"), f"{folder}/*.onnx"])
  assert names(twice, folder) == ["c.onnx"]


def test_nothing_there(folder):
  with pytest.raises(UserError, match="there is no model"):
    find_models([f"{folder}/*.pb"])
  with pytest.raises(UserError, match="notes.txt is not a model: name the folder"):
    find_models([str(folder / "notes.txt")])


def test_links_are_followed_if_they_are_named(folder, tmp_path, caplog):
  theirs = tmp_path / "theirs"
  theirs.mkdir()
  (theirs / "real.onnx").write_bytes(b"content")
  (theirs / "link.onnx").symlink_to(folder / "c.onnx")
  (theirs / "link").symlink_to(folder / "a", target_is_directory=True)
  for pattern in (str(theirs), f"{theirs}/*"):
    assert names(find_models([pattern]), theirs) == ["real.onnx"]
    told = caplog.text
    caplog.clear()
    assert "link.onnx is skipped: it is a symbolic link" in told
    assert "link is skipped" in told
  assert names(find_models([str(theirs / "link.onnx")]), theirs) == ["link.onnx"]
  assert names(find_models([str(theirs / "link")]), theirs) == ["link/export"]


@pytest.mark.parametrize("name", ["d", "d" * 80])  # the latter beyond any path's length
def test_1200_nested_folders(name, tmp_path, caplog):
  (tmp_path / "a.onnx").write_bytes(b"content")
  here = os.open(tmp_path, os.O_RDONLY)
  for _ in range(1_200):
    os.mkdir(name, dir_fd=here)
    inner = os.open(name, os.O_RDONLY, dir_fd=here)
    os.close(here)
    here = inner
  os.close(here)
  assert names(find_models([str(tmp_path)]), tmp_path) == ["a.onnx"]
  told = caplog.text
  assert len(told) < 500  # with the name of the logger
  if len(name) == 1:
    assert "is skipped: it is more than 100 folders deep" in told
  subprocess.run(["rm", "-r", tmp_path / name], check=True)  # pytest could not


def test_names_that_are_no_text(tmp_path):
  path = os.fsencode(tmp_path) + b"/\xff\x1b[2J\n.onnx"
  with open(path, "wb") as file:
    file.write(b"content")
  assert [os.fsencode(found) for found in find_models([str(tmp_path)])] == [path]


def test_a_folder_without_rights(tmp_path):
  """Run as an ordinary user, because file permissions do not bind root."""
  closed = tmp_path / "models" / "closed\x1b[2J"
  closed.mkdir(parents=True)
  (closed.parent / "a.onnx").touch()
  closed.chmod(0)
  closed.parent.chmod(0o755)
  program = (
    "import os\n"
    "from disentangle_tf.foreign.model_files import find_models\n"
    "os.geteuid() or os.setuid(65534)\n"
    "print(*find_models(['.']))"
  )
  ended = subprocess.run(
    [sys.executable, "-c", program],
    capture_output=True,
    text=True,
    check=False,
    cwd=closed.parent,
    env={**os.environ, "PYTHONPATH": str(ROOT)},
  )
  assert ended.returncode == 0, ended.stderr
  (told,) = ended.stderr.splitlines()
  assert ended.stdout == "a.onnx\n"
  assert told.isprintable() and "is skipped: Permission denied" in told


def test_a_folder_that_cannot_be_asked(tmp_path):
  name = tmp_path / ("x" * 300)
  assert find_kind(name) is None
  with pytest.raises(UserError, match="there is no model"):
    find_models([str(name)])
