"""Throughput of a study with one and two slots; prints one JSON line.

  python benchmarks/study_throughput.py [--runs 4] [--steps 1500] [--rounds 1]

A study of the demo's MSE run, scored with the protocol `fast`, is executed in turn with
each number of slots. The machine must be idle: slots compete with other work.

- `first_line`: seconds until the study prints something
- `start`: seconds until a worker takes the first run
- `working`: seconds from there until the last run is done
- `total`: seconds of the command, report included
- `cpu`: CPU seconds of the command and its workers
- `speed_up`: throughput of two slots compared with one, by `working` and by `total`
"""

import functools
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from absl import app, flags
from interleaved import in_turn, median_seconds

ROOT = pathlib.Path(__file__).parents[1]
RUNS = flags.DEFINE_integer("runs", 4, "Runs of the study, a multiple of two.")
STEPS = flags.DEFINE_integer("steps", 1_500, "Steps of a run.")
ROUNDS = flags.DEFINE_integer("rounds", 1, "How often each is measured.")
STUDY = """
from __gin__ import dynamic_registration
from disentangle_tf import studies
studies.Study.runs = {{"demo": ["gin/runs/demo_mse.gin"]}}
studies.Study.seeds = {runs}
studies.Study.metrics = "fast"
studies.Study.bindings = ["STEPS = {steps}"]
"""
CLOCKS = ("first_line", "start", "working", "total", "cpu")


def study_throughput(slots: int, *, runs: int, steps: int) -> dict[str, float]:
  """Execute a study with `slots`; returns {clock: seconds}."""
  with tempfile.TemporaryDirectory() as folder:
    (file := pathlib.Path(folder) / "study.gin").write_text(
      STUDY.format(runs=runs, steps=steps)
    )
    words = ["--gin_file", file, "--output_dir", f"{folder}/out", "--slots", str(slots)]
    cpu, started = _cpu_of_children(), time.perf_counter()
    lines = []
    with subprocess.Popen(
      [sys.executable, ROOT / "bin" / "study.py", *words],
      stdout=subprocess.PIPE,
      text=True,
      cwd=ROOT,
    ) as process:
      for line in process.stdout or ():
        lines.append((time.perf_counter() - started, line))
    if process.returncode:
      raise RuntimeError("".join(line for _, line in lines))
  start = min(at for at, line in lines if line.endswith(": started\n"))
  end = max(at for at, line in lines if ": done in" in line)
  total = time.perf_counter() - started
  values = (lines[0][0], start, end - start, total, _cpu_of_children() - cpu)
  return dict(zip(CLOCKS, values, strict=True))


def _cpu_of_children() -> float:
  used = resource.getrusage(resource.RUSAGE_CHILDREN)
  return used.ru_utime + used.ru_stime


def main(_: list[str]) -> None:
  one, two = (
    functools.partial(study_throughput, slots, runs=RUNS.value, steps=STEPS.value)
    for slots in (1, 2)
  )
  times = in_turn({"one": one, "two": two}, ROUNDS.value)
  found = {clock: median_seconds(times, clock) for clock in CLOCKS}
  speed_up = {
    clock: round(found[clock]["one"] / found[clock]["two"], 2)
    for clock in ("working", "total")
  }
  print(json.dumps({"cores": os.cpu_count(), "speed_up": speed_up, **found}))


if __name__ == "__main__":
  app.run(main)
