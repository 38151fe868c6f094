"""One run of a study, and a study of Python functions."""

from __future__ import annotations

import dataclasses
import gc
import pathlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.studies.drawing import write_results
from disentangle_tf.studies.folders import RunFolder, StudyFolder, keep_files
from disentangle_tf.studies.plan import Plan, full_name
from disentangle_tf.studies.results_files import read_results
from disentangle_tf.studies.study import Study
from disentangle_tf.studies.worker import Worker

if TYPE_CHECKING:
  import pandas as pd


# Arguments of `Run.evaluate` that `train_and_score` passes.
GIVEN = ("model", "output_dir", "overwrite", "trusted")


@dataclasses.dataclass(frozen=True)
class Run:
  """A training and the evaluation of its export, as functions of plain arguments.

  Attributes:
    train: `training.train` with all arguments but `output_dir` and `resume`.
    evaluate: `evaluation.evaluate` with all arguments but those of the export.

  Example:
    >>> import functools
    >>> from disentangle_tf import evaluation, studies, training
    >>> from disentangle_tf.evaluation import protocols
    >>> run = studies.Run(
    ...   functools.partial(training.train, steps=100),  # and model, data, optimizer
    ...   functools.partial(evaluation.evaluate, measurements=protocols.FAST),
    ... )
    >>> run.train.keywords["steps"]
    100
  """

  train: Callable[..., pathlib.Path | None]
  evaluate: Callable[..., dict]


def train_and_score(run: Run, folder: pathlib.Path) -> None:
  """Train into `folder`, or resume, and score the export.

  The caller holds the lease on `folder`, so that no other machine works there. Weights
  and scores equal those of bin/train.py and bin/evaluate.py.

  Args:
    run: what to train, and how to score it.
    folder: for checkpoints/, tensorboard/, export/ and scores/.
  """
  import keras

  from disentangle_tf.training.folder_lock import remove_lock_of_another_machine
  from disentangle_tf.training.tensorflow_internals import custom_gradients_forgotten

  remove_lock_of_another_machine(folder)
  keras.backend.clear_session()
  gc.collect()
  with custom_gradients_forgotten():
    run.train(output_dir=folder, resume=True)
    run.evaluate(
      model=folder / "export",
      output_dir=folder / "scores",
      overwrite=True,
      trusted=True,  # made by this process; its data may be a file of the user
    )


def run_study(study: Study, output_dir: str | pathlib.Path) -> pd.DataFrame:
  """Train and score every run of a `Study` that is not done yet, in this process.

  The folder is that of bin/study.py, whose `status`, `plot` and `report` read it. The
  same call again resumes the study. Other processes may call it at the same time.

  Args:
    study: its methods are Python functions that take the swept settings and `seed` by
      name and return a `Run`.
    output_dir: the study's folder.

  Returns:
    The results table, a pandas frame with one row per model, step and score.

  Raises:
    UserError: if a method is not a function, runs failed, or a plot cannot be drawn.

  Example:
    >>> from disentangle_tf import studies
    >>> def beta_vae(beta, seed):
    ...   ...  # return a studies.Run, whose two functions train and evaluate
    >>> study = studies.Study({"beta-VAE": beta_vae}, sweep={"beta": [0.1, 1.0]})
    >>> [plan.run for plan in study.plans()]
    ['beta-VAE_beta_0.1/seed_0', 'beta-VAE_beta_1.0/seed_0']

    `studies.run_study(study, "runs/mine")` then executes both runs.
  """
  from disentangle_tf.export.manifest import package_versions

  plans = study.plans()
  functions = _functions(study, plans)
  folder = StudyFolder(pathlib.Path(output_dir))
  folder.path.mkdir(parents=True, exist_ok=True)
  folder.write_plans(plans)
  folder.versions.begin(package_versions(), done=[])
  folder.write_configuration(
    f"# made in Python by {', '.join(functions)}\n", study.keep
  )
  folder.go_on()

  def perform(plan: Plan, path: pathlib.Path) -> None:
    run = functions[plan.function](**plan.settings, seed=plan.seed)
    train_and_score(run, path)
    keep_files(RunFolder(path), study.keep)

  Worker(folder.path, plans, perform).work()
  _, problems = write_results(folder, plans, study.plots)
  failed = [run for run, state in folder.states(plans).items() if state == "failed"]
  if failed:
    problems.append(UserError(f"{len(failed)} runs failed: see {failed[0]}/log.txt"))
  if problems:
    raise UserError("; ".join(map(str, problems)))
  return read_results(folder.path, planned=len(plans))


def _functions(study: Study, plans: Sequence[Plan]) -> dict[str, Callable[..., Run]]:
  """{full name: function} of a study's methods."""
  for plan in plans:
    if not plan.function:
      raise UserError(
        f"study: method {plan.method!r} is gin files: bin/study.py runs those; "
        "run_study runs functions that return a studies.Run"
      )
  given = [
    run["files"] if isinstance(run, dict) else run for run in study.runs.values()
  ]
  return {full_name(function): function for function in given}
