"""All scores of one finished run, including those taken during training."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from disentangle_tf.errors import UserError
from disentangle_tf.scoring.naming import repeated_name

if TYPE_CHECKING:
  from disentangle_tf.studies.folders import RunFolder
  from disentangle_tf.studies.plan import Plan

TRAINING_SCORES = "scores.jsonl"
_CONDITIONS = ("repeats", "factor_bins")  # besides those of each measurement
_OF_DATA = ("factors", "data")  # which differ between the runs of a study


@dataclasses.dataclass(frozen=True)
class Evaluation:
  """Scores of a run at one step.

  Attributes:
    step: of the training.
    scores: {name: value}.
    settings: {measurement: {setting: value}}; {} if not recorded.
    measured: {name of a score: its measurement}; {} if not recorded.
  """

  step: int
  scores: dict[str, float]
  settings: dict[str, dict[str, Any]]
  measured: dict[str, str]


@dataclasses.dataclass(frozen=True)
class RunScores:
  """Content of scores.json and scores.jsonl of a run.

  Attributes:
    plan: its `Plan`.
    final: `Evaluation` of the finished model, with every repeat of its scores.
    during: [`Evaluation`] during training, in the order in which they were taken.
    versions: {package: version} that computed the final scores.
  """

  plan: Plan
  final: Evaluation
  during: list[Evaluation]
  versions: dict[str, str]


def read_run_scores(folder: RunFolder, plan: Plan) -> RunScores:
  """`RunScores` of a run that is done.

  Args:
    folder: its `RunFolder`.
    plan: its `Plan`.
  """
  content = read_final_scores(folder)
  content["scores"] |= _of_repeats(content)
  final = _evaluation(content, (content.get("model") or {}).get("step") or 0, {})
  path = folder.path / TRAINING_SCORES
  lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
  during = [_during(_parsed(path, line)) for line in lines]
  late = [each.step for each in during if each.step > final.step]
  if late:
    raise UserError(
      f"{path} goes to step {max(late)}, but {folder.scores} is of step {final.step}: "
      "move its folder away to score the model again"
    )
  return RunScores(plan, final, during, content.get("versions", {}))


def read_final_scores(folder: RunFolder) -> dict[str, Any]:
  """The content of scores.json of a `RunFolder` that is done."""
  return _parsed(folder.scores, folder.scores.read_text(encoding="utf-8"))


def _of_repeats(content: dict[str, Any]) -> dict[str, float]:
  """{name: value} of each repeat of the scores, if there are several."""
  return {
    repeated_name(number, name): value
    for name, values in content.get("scores_of_repeats", {}).items()
    for number, value in enumerate(values)
  }


def _during(line: dict[str, Any]) -> Evaluation:
  measured = line.get("measured", {})
  content = {**line, "settings": {n: m["settings"] for n, m in measured.items()}}
  names = {score: name for name, m in measured.items() for score in m["scores"]}
  return _evaluation(content, line["step"], names)


def _evaluation(
  content: dict[str, Any], step: int, measured: dict[str, str]
) -> Evaluation:
  shared = {
    name: content[name] for name in (*_CONDITIONS, *_OF_DATA) if name in content
  }
  settings = {
    name: {**own, **shared} for name, own in content.get("settings", {}).items()
  }
  return Evaluation(step, content["scores"], settings, measured)


def _parsed(path: pathlib.Path, text: str) -> dict[str, Any]:
  try:
    content = json.loads(text)
    if not isinstance(content["scores"], dict):
      raise ValueError("its scores have no names")
  except (ValueError, KeyError, TypeError) as error:
    raise UserError(
      f"{path} is damaged ({error}): move it away to score the model again"
    ) from None
  return content


def comparable(settings: dict[str, Any]) -> dict[str, Any]:
  """The settings that runs on different data share."""
  return {name: value for name, value in settings.items() if name not in _OF_DATA}


def check_same_settings(runs: Iterable[RunScores]) -> None:
  """Check that final scores of one name were computed with the same settings.

  A setting that only one of two runs has, such as the estimator of likelihoods, is no
  difference: the other run has no score that depends on it.

  Args:
    runs: [`RunScores`].

  Raises:
    UserError: if a setting differs.
  """
  first = {}
  for run in runs:
    for name, settings in run.final.settings.items():
      known, other = first.setdefault(name, (settings, run))
      for setting, value in comparable(settings).items():
        if known.get(setting, value) != value:
          raise UserError(
            f"{other.plan.run} was scored with {setting} = {known[setting]} of {name}, "
            f"{run.plan.run} with {value}: their scores do not compare; move the "
            "folder scores of one away, and the study scores it again"
          )
