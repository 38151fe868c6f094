r"""Makes a data set hard to disentangle: a small change of every image, learned or not.

  python bin/study.py --gin_file gin/studies/zietlow_references.gin \
      --output_dir runs/references
  python bin/manipulate.py --references runs/references \
      --gin_file gin/adversary/manipulate_small.gin --output_dir runs/manipulation

Takes the most and the least disentangled model of the study, and learns the change
under which the entangled one reconstructs better. Writes the folder `set`, which
gin/data/manipulated.gin reads. The same command with --resume continues.

  python bin/manipulate.py --data spot --gin_file gin/adversary/by_hand.gin \
      --output_dir runs/by_hand

Changes a data set without any model, as a control. See docs/adversary.md.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import (
  checked_output_dir,
  next_command,
  start_tensorflow,
)
from disentangle_tf.commands.gin_bindings import CommandLineBindings
from disentangle_tf.commands.gin_configuration import (
  configured,
  read_configuration,
  read_for,
)
from disentangle_tf.commands.gin_record import changed_setting, run_data, run_model
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.studies.folders import RunFolder, StudyFolder
from disentangle_tf.studies.plan import Plan, setting_text

if TYPE_CHECKING:
  from disentangle_tf.adversary import Candidate, Reference
  from disentangle_tf.data import GroundTruthData

_EXAMPLE = "gin/adversary/manipulate_small.gin"
_EXAMPLE_OF_CONTROL = "gin/adversary/by_hand.gin"


def manipulate(values: flags.FlagValues) -> None:
  """Train the adversary, or write a control."""
  _check_flags(values)
  output_dir = checked_output_dir(values)
  start_tensorflow()
  written = _control(values) if values.data else _learned(values)
  print(f"written to {written}; next:")
  words = ["--data", "manipulated", "--gin_bindings", f"FOLDER='{written}'"]
  print(next_command("visualize", *words, "--output_dir", f"{output_dir}/pictures"))


def _check_flags(values: flags.FlagValues) -> None:
  """Raise a `UserError` for flags that exclude each other."""
  models = [values.references, *values.entangled, *values.disentangled]
  if values.data and any(models):
    raise UserError(
      "--data makes a control without any model, and models come with their own data "
      "set: leave --data out, or the models"
    )
  if values.data and values.resume:
    raise UserError("--data trains nothing that --resume could continue: drop one")
  if values.references and values.entangled and values.disentangled:
    raise UserError(
      "--entangled and --disentangled name all references: leave --references out"
    )
  if values["score"].present and not values.references:
    raise UserError("--score ranks the models of --references: leave --score out")


def _control(values: flags.FlagValues) -> pathlib.Path:
  """Write the set of a control; returns its folder."""
  from disentangle_tf import adversary, training

  bindings = read_for(
    "adversary.write_control",
    files=values.gin_file or [_EXAMPLE_OF_CONTROL],
    bindings=values.gin_bindings,
    data=values.data,
    macros={"data": "DATA"},
  )
  write_control = configured(adversary.write_control, _EXAMPLE_OF_CONTROL)
  return write_control(
    output_dir=values.output_dir,
    description=training.RunDescription(text=bindings.checked_text),
    overwrite=values.overwrite,
  )


def _learned(values: flags.FlagValues) -> pathlib.Path:
  """Train the adversary and write its set; returns the folder of the set."""
  from disentangle_tf import adversary, training

  data, entangled, disentangled = _references(values)
  runs = [each.told or each.name for each in (*entangled, *disentangled)]
  bindings = _read(values)
  if values.references:
    _options_of_choice(bindings)  # to record that `_references` has used them
  description = training.RunDescription(
    text=lambda: f"{bindings.checked_text()}\nREFERENCES = {runs}\n",
    file_name="config.gin",
    changed_setting=changed_setting,
  )
  return configured(adversary.manipulate, _EXAMPLE)(
    data=data,
    entangled=entangled,
    disentangled=disentangled,
    output_dir=values.output_dir,
    description=description,
    resume=values.resume,
    overwrite=values.overwrite,
  )


def _read(values: flags.FlagValues) -> CommandLineBindings:
  return read_configuration(values.gin_file or [_EXAMPLE], values.gin_bindings)


def _references(
  values: flags.FlagValues,
) -> tuple[GroundTruthData, list[Reference], list[Reference]]:
  """(data set, entangled, disentangled): named runs, or else those of --references."""
  from disentangle_tf import adversary

  named = values.entangled and values.disentangled
  if not named and not values.references:
    raise UserError(
      "--references is missing: name a study of models of one data set, or single runs "
      "with --entangled and --disentangled"
    )
  candidates = [] if named else _candidates(values)
  runs = [*values.entangled, *values.disentangled, *(each.name for each in candidates)]
  data = _common_data(runs)
  entangled = _named(values.entangled, data)
  disentangled = _named(values.disentangled, data)
  if not (entangled and disentangled):
    options = _options_of_choice(_read(values))
    chosen = adversary.choose_references(candidates, data, **options)
    entangled, disentangled = entangled or chosen[0], disentangled or chosen[1]
  return data, entangled, disentangled


def _options_of_choice(bindings: CommandLineBindings) -> dict[str, Any]:
  """The configured arguments of `adversary.choose_references`."""
  from disentangle_tf import adversary

  return bindings.arguments_for(
    adversary.choose_references, _EXAMPLE, given=("candidates", "data")
  )


def _named(runs: Sequence[str], data: GroundTruthData) -> list[Reference]:
  from disentangle_tf import adversary

  return [adversary.Reference.of_model(run_model(run), data, run) for run in runs]


def _candidates(values: flags.FlagValues) -> list[Candidate]:
  """[`Candidate`] of the finished runs of a study."""
  study = StudyFolder(pathlib.Path(values.references))
  runs = [(plan, study.run(plan)) for plan in study.read_plans()]
  found = [
    _candidate(plan, run, values.score) for plan, run in runs if run.scores.exists()
  ]
  if not found:
    raise UserError(f"{study.path} has no finished run")
  return found


def _candidate(plan: Plan, run: RunFolder, score: str) -> Candidate:
  from disentangle_tf import adversary
  from disentangle_tf.studies.titles import merit

  content = json.loads(run.scores.read_text(encoding="utf-8"))
  scores = content["scores"]
  if score not in scores:
    raise UserError(f"{run.path} has no score {score!r}{suggest(score, scores)}")
  return adversary.Candidate(
    name=str(run.path),
    score=merit(score, scores[score]),
    setting=", ".join(filter(None, [plan.method, plan.data, setting_text(plan)])),
    load=functools.partial(run_model, run.path),
    told={
      "run": plan.run,  # without the user's folders: manifests are published
      score: scores[score],
      "sha256": content["model"]["sha256"],
    },
  )


def _common_data(runs: Sequence[str]) -> GroundTruthData:
  """The data set that all runs share."""
  from disentangle_tf.export import read_manifest

  data = run_data(runs[0])
  configs = [read_manifest(pathlib.Path(run) / "export")["data"] for run in runs]
  for run, config in zip(runs, configs, strict=True):
    if config != configs[0]:
      raise UserError(
        f"{run} was not trained on the data set of {runs[0]}: references must share "
        "one data set"
      )
  return data


def main() -> None:
  """Entry point of bin/manipulate.py and dtf_manipulate."""
  values = command_line.training_flags()
  flags.DEFINE_string(
    "references",
    None,
    "Folder of a study whose models share one data set.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "score", "mig", "Score that ranks the models of a study.", flag_values=values
  )
  for kind in ("entangled", "disentangled"):
    flags.DEFINE_multi_string(
      kind,
      [],
      f"Folder of a run that is the {kind} reference, in place of the study's",
      flag_values=values,
    )
  command_line.define_data_flag(values, "Data set to change without any model")
  command_line.run(manipulate, values, __doc__)


if __name__ == "__main__":
  main()
