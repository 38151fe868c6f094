"""Seconds that a study takes in addition to its trainings.

Measures a plan of 12,600 runs (seven data sets, six methods, six strengths, fifty
seeds), its status, the table of 10,000 finished runs with 60 scores each, and the time
of a worker per run if training and scoring take no time.
"""

import json
import pathlib
import tempfile

from interleaved import rows, timed

from disentangle_tf.studies import Study
from disentangle_tf.studies.collect import collect
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.results_files import read_results
from disentangle_tf.studies.status import read_status
from disentangle_tf.studies.worker import Worker

NUM_SCORES = 60


def make_study(*, seeds=50):
  runs = {
    f"method {m}": {"files": [f"{m}.gin"], "sweep": {"S": [1, 2, 3, 4, 5, 6]}}
    for m in range(6)
  }
  data = {f"set {d}": [f"{d}.gin"] for d in range(7)}
  return Study(runs=runs, data=data, seeds=seeds, metrics="metrics.gin")


def finish(plan, folder):
  """Write the files of a finished run."""
  scores = {f"score_{place}": plan.seed + place / 100 for place in range(NUM_SCORES)}
  (folder / "scores").mkdir(parents=True)
  content = json.dumps({"scores": scores, "model": {"step": 300_000}})
  (folder / "scores" / "scores.json").write_text(content)


def measure(quick):
  finished, taken = (1_000, 50) if quick else (10_000, 500)
  with tempfile.TemporaryDirectory() as folder:
    study = StudyFolder(pathlib.Path(folder))
    plans = make_study().plans()

    def work():
      silent = {"say": lambda line: None, "most_runs": taken}
      Worker(study.path, plans, finish, **silent).work()

    parts = {
      f"plan of {len(plans):,} runs": lambda: make_study().plans(),
      "write the plan": lambda: study.write_plans(plans),
      "read the plan": study.read_plans,
      f"make {finished:,} finished runs": lambda: [
        finish(plan, study.run(plan).path) for plan in plans[:finished]
      ],
      "status": lambda: read_status(study, plans),
      f"collect {finished:,} finished runs": lambda: collect(study, plans),
      "read the results": lambda: read_results(study.path),
      f"a worker, {taken} runs": work,
    }
    times = {name: [timed(function)()] for name, function in parts.items()}
  found = [row for row in rows(times) if not row["name"].startswith("make ")]
  return {"rows": found, "facts": {"scores_per_run": NUM_SCORES}}
