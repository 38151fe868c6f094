"""One run of a study: a training and its evaluation, in this process."""

from __future__ import annotations

import dataclasses
import gc
import pathlib
from collections.abc import Callable

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

  train: Callable[..., pathlib.Path]
  evaluate: Callable[..., dict]


def train_and_score(run: Run, folder: pathlib.Path) -> None:
  """Train into `folder`, or resume what is there, and score the export.

  The caller holds the lease on `folder`, so that no other machine works there. Weights
  and scores equal those of bin/train.py and bin/evaluate.py.

  Args:
    run: what to train, and how to score it.
    folder: for checkpoints/, tensorboard/, export/ and scores/.
  """
  import keras

  from disentangle_tf.training.folder_lock import remove_lock_of_another_machine

  remove_lock_of_another_machine(folder)
  keras.backend.clear_session()
  gc.collect()
  run.train(output_dir=folder, resume=True)
  run.evaluate(
    model=folder / "export",
    output_dir=folder / "scores",
    overwrite=True,
    trusted=True,  # it was made here, and its data may be a file of the user's
  )
