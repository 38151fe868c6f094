"""A model of a study that was trained and scored."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
  from disentangle_tf.studies.plan import Plan


@dataclasses.dataclass(frozen=True)
class FinishedRun:
  """A model of a study that was trained and scored.

  Attributes:
    run: label of the run: method and data set.
    settings: {swept setting: value}, such as a gin binding.
    seed: of the training.
    export: folder of the export.
    scores: {name: value}.
    versions: {package: version} that computed the scores.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import studies
    >>> export = pathlib.Path("runs/mine/beta-VAE_BETA_1/seed_0/export")
    >>> run = studies.FinishedRun("beta-VAE", {"BETA": 1}, 0, export, {"mig": 0.25})
    >>> run.scores["mig"]
    0.25
  """

  run: str
  settings: Mapping[str, Any]
  seed: int
  export: pathlib.Path
  scores: Mapping[str, float]
  versions: Mapping[str, str] = dataclasses.field(default_factory=dict)


def run_label(plan: Plan) -> str:
  """The name of a plan's run in figures: method and data set."""
  return f"{plan.method}, {plan.data}" if plan.data else plan.method
