"""Many trainings, their scores, and figures of them, on disk."""

import itertools
import statistics

from disentangle_tf import plots
from disentangle_tf.argument_checks import check_count
from disentangle_tf.errors import UserError
from disentangle_tf.markdown import markdown_table
from disentangle_tf.output_files import prepare_output_dir, write_json, write_text
from disentangle_tf.studies.finished_run import FinishedRun
from disentangle_tf.studies.folder_name import folder_name
from disentangle_tf.studies.rehearsal import rehearse
from disentangle_tf.studies.run_error import RunError
from disentangle_tf.studies.train_and_score import train_and_score


def study(
  *,
  runs,
  output_dir,
  plot=None,
  sweep=None,
  seeds=1,
  files=(),
  bindings=(),
  metrics="gin/metrics/michlo_during_training.gin",
  check=None,
  score_names=None,
  describe=None,
  resume=False,
  overwrite=False,
):
  """Trains and scores every run at every setting with every seed, one after another.

  A run that fails is recorded and left, and what is written says that it is missing.

  Args:
    runs: {label: [gin files]}, such as {"beta-VAE": ["gin/runs/demo_mse.gin"]}.
    output_dir: folder for all that is written: a folder a model, study.json,
      failures.json, scores.md and the figures.
    plot: function of [`FinishedRun`] that gives {name: matplotlib figure}; it is tried
      out before any run is trained, see `rehearse`.
    sweep: {gin binding: [values]}; every combination is tried.
    seeds: how many, from 0.
    files: gin files that every run reads last, such as that of another data set.
    bindings: gin bindings of every run, such as "STEPS=100".
    metrics: gin file of the metrics.
    check: function of a run's files and bindings that raises if they cannot be read;
      all runs are checked before any is trained.
    score_names: function of `metrics` that gives the names of its scores, or None if
      they are not known.
    describe: function that gives the text of config.gin.
    resume: keep what is finished, go on with what is not.
    overwrite: move an existing `output_dir` aside first.

  Returns:
    [`FinishedRun`]; failures.json has the others.
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
  known_names = score_names(metrics) if score_names else None
  if plot:
    rehearse(plot, plans, known_names)
  output_dir = prepare_output_dir(output_dir, resume=resume, overwrite=overwrite)
  if describe:
    write_text(output_dir / "config.gin", describe())
  finished, failed = [], []
  for number, (label, settings, seed) in enumerate(plans):
    print(f"\n{number + 1} of {len(plans)}: {names[number]}", flush=True)
    folder = output_dir / names[number]
    try:
      scores = train_and_score(folder, **arguments[number], metrics=metrics)
    except RunError as failure:
      print(f"{names[number]} failed: {failure}", flush=True)
      failed.append(_failure_as_json(failure, label, settings, seed, names[number]))
      continue
    finished.append(FinishedRun(label, settings, seed, folder / "export", scores))
  write_json(output_dir / "failures.json", failed)
  write_json(output_dir / "study.json", [_as_json(f, output_dir) for f in finished])
  if not finished:
    raise UserError(f"no model was finished: {output_dir}/failures.json says why")
  write_results(output_dir, finished, len(failed), plot)
  return finished


def write_results(output_dir, finished, num_failed, plot):
  """The table and the figures, which say how many models they lack."""
  missing = ""
  if num_failed:
    missing = f"{num_failed} of {num_failed + len(finished)} models are missing"
  lines = [f"**{missing}**, see failures.json.\n"] if missing else []
  lines.append(scores_table(finished))
  write_text(output_dir / "scores.md", "\n".join(lines) + "\n")
  for name, figure in (plot(finished) if plot else {}).items():
    if missing:
      figure.text(1, 0, missing, ha="right", va="top", color="tab:red")
    plots.save_figure(figure, output_dir / name)


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


def _failure_as_json(failure, label, settings, seed, folder):
  return {
    "run": label,
    "settings": settings,
    "seed": seed,
    "folder": folder,
    "command": failure.command,
    "exit_code": failure.exit_code,
    "last_lines": failure.last_lines,
  }


def _as_json(finished, output_dir):
  return {
    "run": finished.run,
    "settings": finished.settings,
    "seed": finished.seed,
    "export": finished.export.relative_to(output_dir).as_posix(),
    "scores": finished.scores,
  }
