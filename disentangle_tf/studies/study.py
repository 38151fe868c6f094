"""Many trainings, their scores, and figures of them, on disk."""

import itertools
import statistics

from disentangle_tf import plots
from disentangle_tf.configuration import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.markdown import markdown_table
from disentangle_tf.output_files import prepare_output_dir, write_json, write_text
from disentangle_tf.studies.finished_run import FinishedRun
from disentangle_tf.studies.folder_name import folder_name
from disentangle_tf.studies.train_and_score import train_and_score


def study(
  *,
  runs,
  output_dir,
  draw=None,
  sweep=None,
  seeds=1,
  files=(),
  bindings=(),
  metrics="gin/metrics/papers/overlooked_during_training.gin",
  check=None,
  describe=None,
  resume=False,
  overwrite=False,
):
  """Trains and scores every run at every setting with every seed, one after another.

  Args:
    runs: {label: [gin files]}, such as {"beta-VAE": ["gin/runs/demo_mse.gin"]}.
    output_dir: folder for all that is written: a folder a model, study.json, scores.md
      and the figures.
    draw: function of [`FinishedRun`] that gives {name: matplotlib figure}.
    sweep: {gin binding: [values]}; every combination is tried.
    seeds: how many, from 0.
    files: gin files that every run reads last, such as that of another data set.
    bindings: gin bindings of every run, such as "STEPS=100".
    metrics: gin file of the metrics.
    check: function of a run's files and bindings that raises if they cannot be read;
      all runs are checked before any is trained.
    describe: function that gives the text of config.gin.
    resume: keep what is finished, go on with what is not.
    overwrite: move an existing `output_dir` aside first.

  Returns:
    [`FinishedRun`].
  """
  check_count("study", seeds=seeds)
  _check_runs(runs)
  for name, listed in (("files", files), ("bindings", bindings)):
    if isinstance(listed, str):
      raise UserError(f"study: {name} is {listed!r}, must be a list")
  combinations = _combinations(sweep or {})
  plans = list(itertools.product(runs, combinations, range(seeds)))
  names = [f"{folder_name(label, values)}/seed_{seed}" for label, values, seed in plans]
  _check_different(names)
  arguments = [
    {
      "files": [*runs[label], *files],
      "bindings": [
        *bindings,
        *(f"{name}={value!r}" for name, value in settings.items()),
        f"SEED={seed}",
      ],
    }
    for label, settings, seed in plans
  ]
  if check:
    for each in arguments[::seeds]:  # seeds change nothing
      check(**each)
  output_dir = prepare_output_dir(output_dir, resume=resume, overwrite=overwrite)
  if describe:
    write_text(output_dir / "config.gin", describe())
  finished = []
  for number, (label, settings, seed) in enumerate(plans):
    print(f"\n{number + 1} of {len(plans)}: {names[number]}", flush=True)
    folder = output_dir / names[number]
    scores = train_and_score(folder, **arguments[number], metrics=metrics)
    finished.append(FinishedRun(label, settings, seed, folder / "export", scores))
  write_json(output_dir / "study.json", [_as_json(f, output_dir) for f in finished])
  write_text(output_dir / "scores.md", scores_table(finished) + "\n")
  for name, figure in (draw(finished) if draw else {}).items():
    plots.save_figure(figure, output_dir / name)
  return finished


def scores_table(finished):
  """Markdown: the median over seeds of every score that all models have."""
  groups = {}
  for each in finished:
    groups.setdefault((each.run, tuple(each.settings.items())), []).append(each.scores)
  shared = set.intersection(*(set(each.scores) for each in finished))
  names = [name for name in finished[0].scores if name in shared]
  settings = list(finished[0].settings)
  rows = []
  for (run, values), scores in groups.items():
    medians = [statistics.median(each[name] for each in scores) for name in names]
    cells = [run, *(str(value) for _, value in values), str(len(scores))]
    rows.append([*cells, *(f"{median:.3f}" for median in medians)])
  return markdown_table(["run", *settings, "seeds", *names], rows)


def _check_runs(runs):
  if not isinstance(runs, dict) or not runs:
    raise UserError(f"study: runs is {runs!r}, must be {{label: [gin files]}}")
  for label, files in runs.items():
    if not isinstance(files, list | tuple):
      raise UserError(f"study: run {label!r} is {files!r}, must be a list of gin files")


def _combinations(sweep):
  if not isinstance(sweep, dict):
    raise UserError(f"study: sweep is {sweep!r}, must be {{gin binding: [values]}}")
  for name, values in sweep.items():
    if not isinstance(values, list | tuple) or not values:
      raise UserError(f"study: sweep of {name} is {values!r}, must be a list of values")
  products = itertools.product(*sweep.values())
  return [dict(zip(sweep, values, strict=True)) for values in products]


def _check_different(names):
  for name in names:
    if names.count(name) > 1:
      raise UserError(f"study: two runs would share the folder {name}: rename one")


def _as_json(finished, output_dir):
  return {
    "run": finished.run,
    "settings": finished.settings,
    "seed": finished.seed,
    "export": finished.export.relative_to(output_dir).as_posix(),
    "scores": finished.scores,
  }
