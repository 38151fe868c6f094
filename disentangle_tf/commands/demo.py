"""Shows Michlo et al.'s result in a few minutes: the program behind bin/demo.

  bin/demo               one seed
  bin/demo --seeds 3     medians over three seeds
  bin/demo --overwrite   start again; earlier results are moved aside

Trains a beta-VAE on a small XYSquares twice, with a pixel-wise loss and with the
overlap loss. Scores both exports, and writes runs/demo/summary.json and
runs/demo/report.html. The same command again resumes; finished runs are kept.
"""

from __future__ import annotations

import json
import pathlib
import statistics
import sys
from collections.abc import Mapping, Sequence

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import start_tensorflow
from disentangle_tf.commands.demo_report import SCORES, write_report
from disentangle_tf.commands.gin_files import gin_home
from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.commands.study_configuration import read_run
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import prepare_output_dir, write_json
from disentangle_tf.studies import Study
from disentangle_tf.studies.folders import RunFolder
from disentangle_tf.studies.plan import Plan
from disentangle_tf.studies.run import train_and_score

LOSSES = ("mse", "overlap")


def demo(values: flags.FlagValues) -> None:
  """Train, score and compare both models."""
  if values.seeds < 1:
    raise UserError(f"--seeds is {values.seeds}: it must be 1 or more")
  folder = pathlib.Path(values.output_dir or gin_home() / "runs" / "demo")
  prepare_output_dir(folder, resume=not values.overwrite, overwrite=values.overwrite)
  start_tensorflow()
  study = Study(
    runs={loss: [f"gin/runs/demo_{loss}.gin"] for loss in LOSSES},
    seeds=values.seeds,
    metrics="fast",
  )
  by_seed = {loss: [] for loss in LOSSES}
  for plan in study.plans(plan_text):
    by_seed[plan.method].append(_scores(plan, RunFolder(folder / plan.run)))
  medians = {loss: _medians(scores) for loss, scores in by_seed.items()}
  write_json(folder / "summary.json", {**medians, "seeds": by_seed})
  exports = {loss: folder / loss / "seed_0" / "export" for loss in LOSSES}
  write_report(folder / "report.html", exports, medians, num_seeds=values.seeds)
  print(_table(medians, values.seeds))
  print(f"\nreport:      {folder / 'report.html'}")
  print(f"TensorBoard: {sys.prefix}/bin/tensorboard --logdir {folder}")


def _scores(plan: Plan, folder: RunFolder) -> dict[str, float]:
  """Scores of a run, which is trained first if it is not done."""
  folder.check_key(plan)
  if folder.state != "done":
    print(f"\n{plan.run}: {' '.join(plan.files)} {' '.join(plan.bindings)}", flush=True)
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.write_plan(plan)
    train_and_score(read_run(plan), folder.path)
  return json.loads(folder.scores.read_text(encoding="utf-8"))["scores"]


def _medians(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
  return {name: statistics.median(s[name] for s in scores) for name in scores[0]}


def _table(medians: Mapping[str, Mapping[str, float]], num_seeds: int) -> str:
  seeds = "one seed" if num_seeds == 1 else f"median of {num_seeds} seeds"
  lines = [
    f"\nbeta-VAE on small XYSquares, {seeds}, higher is better",
    " " * 10 + "".join(f"{name:>23}" for name in SCORES),
  ]
  for loss, scores in medians.items():
    lines.append(f"{loss:10}" + "".join(f"{scores[name]:23.3f}" for name in SCORES))
  return "\n".join(lines)


def main() -> None:
  """Entry point of bin/demo."""
  values = command_line.output_flags()
  flags.DEFINE_integer(
    "seeds", 1, "Number of seeds; scores are medians over them.", flag_values=values
  )
  command_line.run(demo, values, __doc__)


if __name__ == "__main__":
  main()
