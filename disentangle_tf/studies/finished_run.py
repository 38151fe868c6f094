"""One model of a study, trained and scored."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
  from disentangle_tf.studies.plan import Plan


@dataclasses.dataclass(frozen=True)
class FinishedRun:
  """What a study knows of one of its models.

  Attributes:
    run: label of the run it is an instance of.
    settings: {gin binding: value} of the sweep.
    seed: of its training.
    export: folder of its export.
    scores: {name: score}.
    versions: {package: version} that computed them.
  """

  run: str
  settings: Mapping[str, Any]
  seed: int
  export: pathlib.Path
  scores: Mapping[str, float]
  versions: Mapping[str, str] = dataclasses.field(default_factory=dict)


def run_label(plan: Plan) -> str:
  """What figures call the run of a `Plan`."""
  return f"{plan.method}, {plan.data}" if plan.data else plan.method
