"""One model of a study, trained and scored."""

import dataclasses
import pathlib


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
  settings: dict
  seed: int
  export: pathlib.Path
  scores: dict
  versions: dict = dataclasses.field(default_factory=dict)


def run_label(plan):
  """What figures call the run of a `Plan`."""
  return f"{plan.method}, {plan.data}" if plan.data else plan.method
