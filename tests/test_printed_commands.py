"""Commands that commands print, and that errors name, run as they are printed."""

import re
import subprocess

import pytest
from command_calls import ROOT, binding_flags
from dlib_files import write_dlib_model
from documented_commands import Block, check_call, lay_out, recorded_calls

from disentangle_tf import data
from disentangle_tf.commands import (
  manipulate,
  study,
  study_executors,
  study_flags,
  train,
)
from disentangle_tf.errors import UserError
from disentangle_tf.studies.folders import StudyFolder

# Two factors of four values, so that every metric at its full size takes a moment.
SMALL_RUN = (
  *("--gin_file", "gin/runs/demo_overlap.gin", "--output_dir", "runs/a b"),
  *binding_flags(
    *("data.XYSquares.image_size=8", "data.XYSquares.num_squares=1", "LATENTS=2"),
    *("UNITS=(4,)", "STEPS=2", "training.Computing.jit_compile=False"),
  ),
)
SMALL_STUDY = """
from __gin__ import dynamic_registration
from disentangle_tf import studies
studies.Study:
  runs = {"a": ["gin/runs/demo_mse.gin"]}
  bindings = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]
"""


@pytest.fixture
def printed(tmp_path, monkeypatch, capfd):
  """A function: the commands that bin/NAME.py prints, run in a folder of its own."""
  lay_out(tmp_path)
  monkeypatch.chdir(tmp_path)

  def run(main, name, *words):
    with pytest.MonkeyPatch.context() as patch:
      patch.setattr("sys.argv", [f"bin/{name}.py", *map(str, words)])
      capfd.readouterr()
      main()
    lines = capfd.readouterr().out.splitlines()
    return [line for line in lines if re.match(r"\S*python[\d.]* bin/\w+\.py ", line)]

  return run


def _run(line):
  finished = subprocess.run(
    line, shell=True, capture_output=True, text=True, timeout=600
  )
  assert finished.returncode == 0, f"{line}\n{finished.stderr}"


@pytest.mark.slow
def test_what_comes_after_training(printed, tmp_path):
  (line,) = printed(train.main, "train", *SMALL_RUN)
  _run(line)
  assert (tmp_path / "runs" / "a b" / "scores" / "scores.json").is_file()
  more = ("--resume", "--gin_bindings", "STEPS=3")
  (line,) = printed(train.main, "train", *SMALL_RUN, *more)
  assert line.endswith("--overwrite")  # of the scores that are there
  _run(line)


@pytest.mark.slow
def test_what_comes_after_a_manipulation(printed, tmp_path):
  words = ("--data", "spot", "--gin_file", "gin/adversary/by_hand.gin")
  (line,) = printed(
    manipulate.main, "manipulate", *words, "--output_dir", "runs/by hand"
  )
  _run(line)
  assert any((tmp_path / "runs" / "by hand" / "pictures").glob("*.png"))


@pytest.mark.slow
def test_what_does_the_runs_of_a_plan(printed, tmp_path):
  (tmp_path / "study.gin").write_text(SMALL_STUDY)
  words = ("--gin_file", "study.gin", "--output_dir", "runs/a b", "--executor", "none")
  (line,) = printed(study.main, "study", *words)
  _run(line)
  folder = StudyFolder(tmp_path / "runs" / "a b")
  assert set(folder.states(folder.read_plans()).values()) == {"done"}


@pytest.mark.slow
def test_what_draws_published_results(printed, tmp_path):
  for index in (0, 50, 300, 350):
    write_dlib_model(tmp_path / "downloaded", index)
  words = ("collect", "--from_dlib", "downloaded", "--output_dir", "runs/a b")
  (line,) = printed(study.main, "study", *words)
  finished = subprocess.run(line, shell=True, capture_output=True, text=True)
  # Four models are too few for most figures, which are named; the others are drawn.
  assert finished.returncode in (0, 1) and "written to" in finished.stdout
  assert "error" not in finished.stderr


def test_what_follows_a_submission_to_slurm(monkeypatch, capsys, tmp_path):
  """The lines are parsed: no Slurm is here that would take the jobs."""
  from disentangle_tf.studies.executors import slurm

  lay_out(tmp_path)
  monkeypatch.setattr(slurm, "submit_to_slurm", lambda *args, **options: "7")
  monkeypatch.setattr("sys.argv", ["bin/study.py"])
  values = study_flags.study_flags(study_executors.EXECUTORS)
  values(["study", "--executor=slurm", "--workers=2", "--minutes=5"])
  folder = StudyFolder(tmp_path / "runs" / "a b")
  study_executors.EXECUTORS["slurm"](values, folder, [None])
  _check(capsys.readouterr().out.splitlines()[1:], tmp_path, count=2)


def _check(lines, folder, *, count):
  found = []
  for line in lines:
    line = re.sub(r"^\S*python[\d.]* ", "python ", line)
    found += recorded_calls(Block("printed", 1, "sh", line), folder)
  assert len(found) == count
  for call in found:
    check_call(call)


def test_what_prepares_a_set_that_is_not_there(monkeypatch, tmp_path):
  lay_out(tmp_path)
  monkeypatch.setenv("DISENTANGLE_TF_DATA", str(tmp_path / "none"))
  with pytest.raises(UserError) as raised:
    data.Cars3D()
  (line,) = re.findall(r"python bin/prepare_data\.py \w+ \w+", str(raised.value))
  _check([line], tmp_path, count=1)


SOURCES = sorted((ROOT / "disentangle_tf").rglob("*.py"))


def test_files_and_programs_that_messages_name_exist():
  """Also those of docstrings, which --help prints."""
  named = {
    (path.relative_to(ROOT).as_posix(), name)
    for path in SOURCES
    for name in re.findall(
      r"(?<![\w/}])((?:gin|bin|docs|benchmarks)/[\w/.-]*\w\.(?:gin|py|md))\b",
      path.read_text(encoding="utf-8"),
    )
  }
  placeholders = {"gin/data/NAME.gin"}
  assert [
    n for n in named if n[1] not in placeholders and not (ROOT / n[1]).exists()
  ] == []
  assert len(named) > 50
