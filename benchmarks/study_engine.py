"""Seconds that a study takes in addition to its trainings; prints one JSON line.

  python benchmarks/study_engine.py

Measures a plan of 12,600 runs (seven data sets, six methods, six strengths, fifty
seeds), its status, the table of 10,000 finished runs with 60 scores each, and the time
of a worker per run if training and scoring take no time.
"""

import json
import pathlib
import resource
import tempfile
import time

from disentangle_tf.studies import Study
from disentangle_tf.studies.collect import collect, read_results
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.status import read_status
from disentangle_tf.studies.worker import Worker

NUM_FINISHED = 10_000
NUM_SCORES = 60
NUM_TAKEN = 500


def make_study():
  runs = {
    f"method {m}": {"files": [f"{m}.gin"], "sweep": {"S": [1, 2, 3, 4, 5, 6]}}
    for m in range(6)
  }
  data = {f"set {d}": [f"{d}.gin"] for d in range(7)}
  return Study(runs=runs, data=data, seeds=50, metrics="metrics.gin")


def finish(plan, folder):
  """Write the files of a finished run."""
  scores = {f"score_{place}": plan.seed + place / 100 for place in range(NUM_SCORES)}
  (folder / "scores").mkdir(parents=True)
  content = json.dumps({"scores": scores, "model": {"step": 300_000}})
  (folder / "scores" / "scores.json").write_text(content)


def seconds(function):
  started = time.perf_counter()
  found = function()
  return found, round(time.perf_counter() - started, 3)


def main():
  record = {}
  with tempfile.TemporaryDirectory() as folder:
    study = StudyFolder(pathlib.Path(folder))
    plans, record["plan"] = seconds(make_study().plans)
    _, record["write_plan"] = seconds(lambda: study.write_plans(plans))
    _, record["read_plan"] = seconds(study.read_plans)
    for plan in plans[:NUM_FINISHED]:
      finish(plan, study.run(plan).path)
    _, record["status"] = seconds(lambda: read_status(study, plans))
    _, record["collect"] = seconds(lambda: collect(study, plans))
    _, record["read_results"] = seconds(lambda: read_results(study.path))
    worker = Worker(
      study.path, plans, finish, say=lambda line: None, most_runs=NUM_TAKEN
    )
    _, taken = seconds(worker.work)
    record["ms_per_run"] = round(1_000 * taken / NUM_TAKEN, 2)
  peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
  record["peak_memory_mb"] = round(peak / 1_024)
  print(json.dumps(record))


if __name__ == "__main__":
  main()
