import pathlib
import subprocess
import sys
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).parents[1]


def test_the_wheel_holds_the_gin_files_and_commands(tmp_path):
  subprocess.run(
    [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
    cwd=ROOT,
    check=True,
    capture_output=True,
  )
  (wheel,) = tmp_path.glob("*.whl")
  with zipfile.ZipFile(wheel) as archive:
    names = set(archive.namelist())
    entry_points = next(n for n in names if n.endswith("entry_points.txt"))
    commands = archive.read(entry_points).decode()
  for path in ROOT.glob("gin/**/*.gin"):
    assert f"disentangle_tf/{path.relative_to(ROOT).as_posix()}" in names
  assert "disentangle_tf/plots/sortable_table.js" in names
  for name in ("page.html", "page.css", "parts.html"):
    assert f"disentangle_tf/plots/templates/{name}" in names
  assert "dtf_train" in commands and "dtf_evaluate" in commands
  assert not any(name.startswith(("tests/", "runs/")) for name in names)


def test_every_dependency_is_pinned_in_the_constraints():
  project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
  wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
  pinned = {
    line.split("==")[0].lower().replace("_", "-")
    for line in (ROOT / "constraints.txt").read_text().splitlines()
  }
  for requirement in wanted:
    name = requirement.split(">")[0].lower().replace("_", "-")
    assert name in pinned


def test_every_binary_has_a_command():
  project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
  for path in (ROOT / "bin").glob("*.py"):
    target = project["scripts"][f"dtf_{path.stem}"]
    assert target == f"disentangle_tf.commands.{path.stem}:main"


def test_the_gin_folder_is_no_package():
  assert not list((ROOT / "gin").rglob("__init__.py"))
