"""Throughput of a study with one slot and with two, and memory of a worker.

The study trains and scores the demo's MSE run on the small XYSquares, shortened. The
memory of the largest process below `bin/study.py`, the worker, is read four times a
second; `mb_per_run` is the slope of a line through its largest values between two ends
of runs, from the third run until the process is replaced.
"""

import pathlib
import tempfile

import numpy as np
from command_costs import cost_of_python
from interleaved import rows

STUDY = """
from __gin__ import dynamic_registration

from disentangle_tf import studies

studies.Study:
  runs = {{"demo": ["gin/runs/demo_mse.gin"]}}
  seeds = {seeds}
  bindings = ["STEPS={steps}"]
  metrics = "fast"
"""


def measure(quick):
  steps, seeds = (100, 2) if quick else (2000, 4)
  rounds = 1 if quick else 2
  times = {"1 slot": [], "2 slots": []}
  with tempfile.TemporaryDirectory() as place:
    folder = pathlib.Path(place)
    for number in range(rounds):
      for name in times:
        output = folder / f"{name[0]}_{number}"
        cost = run_study(output, steps=steps, seeds=seeds, slots=name[0])
        times[name].append(cost.times())
    found = rows(times, base="1 slot", count=seeds, unit="run")
    found.append(worker_memory(folder / "memory", seeds=4 if quick else 20))
  return {"rows": found, "facts": {"steps": steps, "runs": seeds}}


def run_study(output, *, steps, seeds, slots):
  """Cost of a study, from the command to the table of results."""
  gin_file = output.with_suffix(".gin")
  gin_file.write_text(STUDY.format(seeds=seeds, steps=steps))
  return cost_of_python(
    "bin/study.py",
    f"--gin_file={gin_file}",
    f"--output_dir={output}",
    f"--slots={slots}",
  )


def worker_memory(output, *, seeds):
  """The row of a study of tiny runs."""
  cost = run_study(output, steps=20, seeds=seeds, slots=1)
  finished = sorted(path.stat().st_mtime for path in output.rglob("timing.json"))
  assert len(finished) == seeds, cost.output[-2000:]
  ends = np.array(finished) - finished[-1] + cost.resident[-1][0]
  seconds, resident = np.array(cost.resident).T
  peaks = [
    resident[(seconds > begin) & (seconds <= end)].max()
    for begin, end in zip(ends[:-1], ends[1:], strict=True)
  ]
  replaced = [i for i in range(3, len(peaks)) if peaks[i] < 0.8 * peaks[i - 1]]
  later = peaks[2 : replaced[0] if replaced else None]
  [row] = rows({f"{seeds} tiny runs, 1 slot": [cost.times()]}, count=seeds, unit="run")
  row |= {"peak_mb": round(max(peaks)), "mb_after_each_run": [round(x) for x in peaks]}
  if len(later) > 5:  # fewer show noise
    slope = np.polyfit(np.arange(len(later)), later, 1)[0]
    row["mb_per_run"] = round(float(slope), 1)
  return row
