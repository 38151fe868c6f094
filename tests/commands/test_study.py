"""bin/study.py as a user runs it, with trainings of two steps."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow.parquet
import pytest
from command_calls import MIG_ALONE, ROOT, call
from dlib_files import dlib_file, write_dlib_model
from shared_checks import tiny_data

from disentangle_tf.commands import evaluate, study, train
from disentangle_tf.export import ExportedModel
from disentangle_tf.studies.status import readable_seconds

TINY = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]
STUDY = """
from __gin__ import dynamic_registration
from disentangle_tf import studies
studies.Study:
  runs = {runs}
  sweep = {sweep}
  bindings = {bindings}
  metrics = "{folder}/mig.gin"
  plots = [@studies.plot_score_strips]
studies.plot_score_strips.scores = {{"mig": "MIG"}}
"""


def _write_study(folder, runs, sweep=None):
  (folder / "mig.gin").write_text(MIG_ALONE)
  values = {"runs": runs, "sweep": sweep or {}, "bindings": TINY, "folder": folder}
  (folder / "study.gin").write_text(STUDY.format(**values))
  return ["--gin_file", folder / "study.gin", "--output_dir", folder / "out"]


def _scores(folder):
  return json.loads((folder / "scores" / "scores.json").read_text())["scores"]


def test_a_study_is_executed_and_resumed(tmp_path, capfd):
  """Its weights and scores equal those of bin/train.py and bin/evaluate.py."""
  runs = {"MSE": ["gin/runs/demo_mse.gin"]}
  words = _write_study(tmp_path, runs, {"BETA": [0.5, 0.25]})
  assert call(study.main, *words, "--slots", 1) == 0
  output = capfd.readouterr().out
  assert "2 planned, 0 done before" in output
  assert "MSE_BETA_0.25/seed_0: done in" in output and "| MSE | 0.5 | 1 |" in output
  out = tmp_path / "out"
  run = out / "MSE_BETA_0.25" / "seed_0"
  assert not (run / "checkpoints").exists() and (run / "export").is_dir()
  table = pyarrow.parquet.read_table(out / "results.parquet").to_pylist()
  assert [row["value"] for row in table] == [
    _scores(run)["mig"],
    _scores(out / "MSE_BETA_0.5" / "seed_0")["mig"],
  ]
  assert "<!-- MSE -->" in (out / "score_strips.svg").read_text()
  page = (out / "report.html").read_text()
  assert "2 runs: 2 done" in page and "score_strips: Scores of each run" in page
  assert page.count("data:image/png;base64,") == 2  # the models' traversals

  by_hand = tmp_path / "by_hand"
  bindings = [
    word for each in [*TINY, "BETA=0.25", "SEED=0"] for word in ("--gin_bindings", each)
  ]
  assert (
    call(train.main, "--gin_file", runs["MSE"][0], *bindings, "--output_dir", by_hand)
    == 0
  )
  metrics = ("--gin_file", tmp_path / "mig.gin", "--output_dir", by_hand / "scores")
  assert call(evaluate.main, "--model", by_hand / "export", "--trusted", *metrics) == 0
  assert _scores(by_hand) == _scores(run)
  images = np.random.default_rng(0).random((3, 16, 16, 2), np.float32)
  codes = [ExportedModel(each / "export").encode(images)[0] for each in (run, by_hand)]
  np.testing.assert_array_equal(*codes)

  capfd.readouterr()
  assert call(study.main, *words, "--slots", 1) == 0
  assert "started" not in capfd.readouterr().out  # nothing was run again
  assert call(study.main, "status", *words[2:]) == 0
  assert "2 runs: 2 done, 0 failed" in capfd.readouterr().out
  changed = ("--gin_bindings", "studies.Study.bindings = ['STEPS=3']")
  assert call(study.main, *words, *changed) == 2
  assert "was made with other settings (bindings changed)" in capfd.readouterr().err


def test_failed_runs_are_recorded_and_requeued(tmp_path, capfd):
  start = 'include "gin/runs/demo_mse.gin"\n'
  for name, text in {
    "diverging": f"{start}keras.optimizers.Adam.learning_rate = 1e30\n",
    "later": f'{start}include "gin/data/table.gin"\nPATH = "{tmp_path}/later.npz"\n',
  }.items():
    (tmp_path / f"{name}.gin").write_text(text)
  runs = {name: [f"{tmp_path}/{name}.gin"] for name in ("diverging", "later")}
  words = _write_study(tmp_path, runs)
  assert call(study.main, *words, "--slots", 1) == 1
  output = capfd.readouterr()
  assert "diverging/seed_0: failed: error: " in output.out
  assert "2 runs: 0 done, 2 failed, 0 running, 0 waiting" in output.err
  failure = json.loads((tmp_path / "out/diverging/seed_0/failure.json").read_text())
  assert failure["exit_code"] == 2 and "at step" in failure["last_lines"][-1]
  assert call(study.main, "logs", "later/seed_0", *words[2:]) == 0
  assert "later.npz" in capfd.readouterr().out
  data = tiny_data()
  factors = data.factors.to_factors(np.arange(len(data)))
  images = data.observe(factors).numpy()
  np.savez(tmp_path / "later.npz", images=images, factors=factors)
  assert call(study.main, "retry", *words[2:]) == 0
  assert "2 runs requeued" in capfd.readouterr().out
  assert call(study.main, *words, "--slots", 1) == 1
  output = capfd.readouterr()
  assert "later/seed_0: done in" in output.out
  assert "1 of 2 models are missing" in (tmp_path / "out" / "scores.md").read_text()
  svg = (tmp_path / "out" / "score_strips.svg").read_text()
  assert "<!-- later -->" in svg and "<!-- diverging -->" not in svg
  assert call(study.main, "plot", *words[2:]) == 1  # one run is still missing
  assert call(study.main, "report", *words[2:], "--score", "migg") == 2
  assert "no run has the score 'migg'" in capfd.readouterr().err
  (tmp_path / "out" / "report.html").unlink()
  assert call(study.main, "report", *words[2:], "--score", "mig") == 0
  assert f"written to {tmp_path}/out/report.html" in capfd.readouterr().out
  page = (tmp_path / "out" / "report.html").read_text()
  assert "2 runs: 1 done, 1 failed" in page and "diverging/seed_0: error: " in page
  assert call(study.main, "collect", *words[2:]) == 0
  assert "1 of 2 runs are in" in capfd.readouterr().out


def test_a_users_own_data_set_is_trained_on_and_scored(tmp_path, monkeypatch):
  (tmp_path / "squares_of_the_user.py").write_text(
    "from disentangle_tf import data\nclass Squares(data.XYSquares):\n  pass\n"
  )
  (tmp_path / "own.gin").write_text(
    "from __gin__ import dynamic_registration\nimport squares_of_the_user\n"
    "DATA = @squares_of_the_user.Squares()\nsquares_of_the_user.Squares:\n"
    "  num_squares = 1\n  image_size = 8\n  square_size = 2\n  grid_spacing = 2\n"
  )
  places = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
  monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))
  monkeypatch.syspath_prepend(tmp_path)
  runs = {"own": ["gin/runs/demo_mse.gin", f"{tmp_path}/own.gin"]}
  assert call(study.main, *_write_study(tmp_path, runs), "--slots", 1) == 0
  scored = json.loads((tmp_path / "out/own/seed_0/scores/scores.json").read_text())
  assert scored["data"]["class"] == "squares_of_the_user.Squares"
  page = (tmp_path / "out" / "report.html").read_text()
  assert "Not drawn: the export was trained on data set " in page


def _write_table(path, *, seed=0):
  data = tiny_data()
  factors = data.factors.to_factors(np.arange(len(data)))
  images = data.observe(factors).numpy()
  images = np.random.default_rng(seed).permutation(images) if seed else images
  np.savez(path, images=images, factors=factors)


@pytest.mark.slow
def test_a_study_is_tied_to_its_data_and_versions(tmp_path, capfd):
  _write_table(tmp_path / "mine.npz")
  runs = {"own": ["gin/runs/demo_mse.gin", "gin/data/table.gin"]}
  words = _write_study(tmp_path, runs, {"PATH": [f"{tmp_path}/mine.npz"]})
  assert call(study.main, *words, "--slots", 1) == 0
  (run,) = (tmp_path / "out").glob("own*/seed_0")
  assert list(json.loads((run / "run.json").read_text())["contents"]) == [
    f"{tmp_path}/mine.npz"
  ]
  before = _scores(run)
  _write_table(tmp_path / "mine.npz", seed=1)  # in place
  capfd.readouterr()
  assert call(study.main, *words, "--slots", 1) == 2
  assert f"another content of {tmp_path}/mine.npz" in capfd.readouterr().err
  # A worker of the existing plan does not train on it either.
  assert call(study.main, "work", *words[2:]) == 0
  _write_table(tmp_path / "mine.npz")
  assert call(study.main, *words, "--slots", 1) == 0
  assert _scores(run) == before

  # As if NumPy was updated in the meantime.
  for path in (run / "scores" / "scores.json", tmp_path / "out" / "versions.json"):
    path.write_text(path.read_text().replace(np.__version__, "1.0.0"))
  capfd.readouterr()
  assert call(study.main, *words, "--slots", 1) == 0  # nothing is left to do
  told = f"begun with numpy 1.0.0 (now {np.__version__})"
  assert told in capfd.readouterr().err
  more = (*words, "--gin_bindings", "studies.Study.seeds = 2", "--slots", 1)
  assert call(study.main, *more) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert told in line and "--mix_versions" in line
  assert len(json.loads((tmp_path / "out" / "plan.json").read_text())) == 1
  assert call(study.main, *more, "--mix_versions") == 0
  page = (tmp_path / "out" / "report.html").read_text()
  assert f"numpy 1.0.0 (1 model) and {np.__version__} (1 model)" in page
  assert json.loads((tmp_path / "out" / "versions.json").read_text())["mixed"]
  assert call(study.main, "collect", *words[2:]) == 0  # as the study recorded


def test_plan_prints_the_runs(tmp_path, capfd):
  words = _write_study(tmp_path, {"MSE": ["gin/runs/demo_mse.gin"]}, {"BETA": [1, 2]})
  seeds = ("--gin_bindings", "studies.Study.seeds = 4")
  for asked in (["plan", *words, *seeds], [*words, *seeds, "--dry_run"]):
    assert call(study.main, *asked) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == "8 runs, 1 method, 4 seeds"
    assert lines[1].startswith("  MSE_BETA_1/seed_0: gin/runs/demo_mse.gin STEPS=2 ")
    assert lines[6] == "  and 3 more"
    assert lines[7].startswith("time and disk space are unknown until runs are done")
  assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_worker_continues_in_a_new_process(tmp_path):
  runs = {"MSE": ["gin/runs/demo_mse.gin"]}
  words = _write_study(tmp_path, runs, {"BETA": [0.5, 0.25]})
  assert call(study.main, *words, "--executor", "none") == 0
  code = (
    "import itertools, os; from disentangle_tf.commands import study; "
    "from disentangle_tf.studies import worker; "
    "worker.resident_memory = itertools.count(2**30, 2**30).__next__; "  # 1 GiB more
    "print('process', os.getpid(), flush=True); study.main()"
  )
  command = [sys.executable, "-c", code, "work", "--output_dir", tmp_path / "out"]
  worker = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
  lines = worker.stdout.splitlines()
  assert len({line for line in lines if line.startswith("process ")}) == 1  # its number
  assert sum(line.startswith("process ") for line in lines) == 2
  assert len(list((tmp_path / "out").rglob("scores.json"))) == 2


@pytest.mark.slow
def test_a_sample_estimates_time_and_disk_space(tmp_path, capfd):
  runs = {name: ["gin/runs/demo_mse.gin"] for name in ("MSE", "again")}
  words = _write_study(tmp_path, runs, {"BETA": [0.5, 0.25, 0.1]})
  assert call(study.main, *words, "--sample", "--slots", 1) == 0
  capfd.readouterr()
  states = ("MSE_BETA_0.5/seed_0", "again_BETA_0.5/seed_0")
  done = sorted(path.parents[1] for path in (tmp_path / "out").rglob("scores.json"))
  assert done == [tmp_path / "out" / run for run in states]
  seconds = [json.loads((run / "timing.json").read_text())["seconds"] for run in done]
  assert call(study.main, "plan", *words, "--slots", 2) == 0
  *_, counts, time_left, disk = capfd.readouterr().out.splitlines()
  assert counts == "6 runs: 2 done, 0 failed, 0 running, 4 waiting"
  left = readable_seconds(2 * sum(seconds) / 2)
  assert time_left.endswith(f"; about {left} left with 2 at a time")
  assert disk.startswith("a run needs ") and "the runs left need about" in disk
  assert call(study.main, *words, "--sample", "--executor", "slurm") == 2
  assert "leave --executor slurm out" in capfd.readouterr().err


def test_published_results_are_drawn_without_a_study(tmp_path, capfd):
  for index in range(0, 1_800, 100):  # on dSprites
    write_dlib_model(tmp_path / "published", index)
  out = ("--output_dir", tmp_path / "out")
  assert call(study.main, "collect", "--from_dlib", tmp_path / "published", *out) == 0
  first, following = capfd.readouterr().out.splitlines()
  assert first == f"18 models are in {tmp_path}/out/results.parquet"
  figures = "plot --figure locatello_all"
  assert following.endswith(f"{figures} --output_dir {tmp_path}/out")
  figure = ("--figure", "locatello_figure_4")
  assert call(study.main, "plot", *figure, *out) == 0
  assert "n = 18" in (tmp_path / "out" / "mean_against_sampled.svg").read_text()
  capfd.readouterr()
  for flag, value, reason in (
    ("--figure", "locatello_2020_noise", "needs scores that were taken"),
    ("--gin_file", "gin/studies/michlo_figure_7.gin", "needs the runs"),
    ("--figure", "michlo_figure_7", "plot_traversals needs the runs"),
  ):
    assert call(study.main, "plot", flag, value, *out) == 1
    (line,) = capfd.readouterr().err.strip().splitlines()
    assert "study: not drawn: " in line and reason in line
  assert call(study.main, "plot", *out) == 2
  assert "add --figure locatello_all" in capfd.readouterr().err


def test_wrong_folders_of_published_results_cost_one_line(tmp_path, capfd):
  out = ("--output_dir", tmp_path / "out")
  nowhere = ("collect", "--from_dlib", tmp_path / "nowhere")
  assert call(study.main, *nowhere, *out) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert "nowhere has no model with a file metrics/" in line
  damaged = dlib_file(tmp_path / "nowhere", 0, "mig")
  damaged.parent.mkdir(parents=True)
  damaged.write_text("{")
  assert call(study.main, *nowhere, *out) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert "evaluation.json cannot be read" in line
  assert not (tmp_path / "out").exists()
  (tmp_path / "out").mkdir()
  (tmp_path / "out" / "plan.json").write_text("[]")
  assert call(study.main, *nowhere, *out) == 2
  assert "is a study with its own results table" in capfd.readouterr().err


LONG = (
  "studies.Study.bindings = ['STEPS=1000000', 'UNITS=(4,)', "
  "'training.Computing.jit_compile=False', 'training.Saving.checkpoint_every=20']"
)


def _long_study(folder):
  return [
    sys.executable, ROOT / "bin" / "study.py",
    "--gin_file", "gin/studies/michlo_figure_7.gin",
    "--gin_bindings", LONG, "--output_dir", folder / "out", "--slots", "1",
  ]  # fmt: skip


def test_an_interrupted_study_keeps_a_checkpoint(tmp_path):
  run = tmp_path / "out" / "MSE" / "seed_0"
  process = subprocess.Popen(_long_study(tmp_path), stdout=subprocess.PIPE, text=True)
  _wait_for(lambda: list(run.glob("checkpoints/*.index")))
  for _ in range(2):  # a second signal changes nothing
    process.send_signal(signal.SIGINT)
    time.sleep(0.02)
  process.communicate(timeout=60)
  assert process.returncode == 130
  assert not (run / "lease.json").exists() and not (run / "run.lock").exists()
  assert "stopped after step " in (run / "log.txt").read_text()
  assert "plot_traversals" in (tmp_path / "out" / "config.gin").read_text()


@pytest.mark.slow
def test_no_worker_outlives_a_study_that_is_killed(tmp_path):
  run = tmp_path / "out" / "MSE" / "seed_0"
  process = subprocess.Popen(_long_study(tmp_path))
  _wait_for(lambda: list(run.glob("checkpoints/*.index")))
  worker = json.loads((run / "lease.json").read_text())["process"]
  process.kill()
  process.wait()
  _wait_for(lambda: not (run / "lease.json").exists(), seconds=30)
  _wait_for(lambda: not _runs(worker), seconds=30)
  assert "stopped after step " in (run / "log.txt").read_text()


def _wait_for(condition, seconds=120):
  deadline = time.monotonic() + seconds
  while not condition():
    assert time.monotonic() < deadline
    time.sleep(0.1)


def _runs(process):
  try:
    os.kill(process, 0)
  except ProcessLookupError:
    return False
  return True


@pytest.mark.parametrize(
  ("words", "message"),
  [
    (["--output_dir", "x"], "--gin_file is missing"),
    (["stauts", "--output_dir", "x"], "did you mean 'status'?"),
    (["status", "--output_dir", "x"], "x is not a study: it has no plan.json"),
    (["logs", "--output_dir", "x"], "logs takes the name of one run, got 0"),
    (["plan", "more", "--output_dir", "x"], "unexpected argument"),
  ],
)
def test_mistakes_cost_one_line(words, message, tmp_path, monkeypatch, capfd):
  monkeypatch.chdir(tmp_path)
  assert call(study.main, *words) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert message in line
  assert not (tmp_path / "x").exists()


def test_a_study_reads_every_run_before_it_trains(tmp_path, capsys):
  runs = '{"good": ["gin/runs/demo_mse.gin"], "bad": ["gin/runs/demo_mes.gin"]}'
  flags = (
    "--gin_file",
    "gin/studies/michlo_figure_7.gin",
    "--output_dir",
    tmp_path / "a",
  )
  for wrong, message in (
    (f"studies.Study.runs = {runs}", "no gin file gin/runs/demo_mes.gin"),
    ('studies.Study.sweep = {"BETTA": [1]}', "did you mean 'BETA'"),
  ):
    assert call(study.main, *flags, "--gin_bindings", wrong) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "a").exists()
