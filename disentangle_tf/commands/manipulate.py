r"""Makes a data set hard on purpose: a mild change of every image, learned or not.

  python bin/study.py --gin_file gin/studies/zietlow_references.gin \
      --output_dir runs/references
  python bin/manipulate.py --references runs/references \
      --gin_file gin/adversary/manipulate_small.gin --output_dir runs/manipulation

takes the most and the least disentangled model of the study, learns the change under
which the entangled one reconstructs better, and writes the folder `set`, which
gin/data/manipulated.gin reads. The same command with --resume goes on.

  python bin/manipulate.py --data spot --gin_file gin/adversary/by_hand.gin \
      --output_dir runs/by_hand

changes a set without any model: a control. docs/adversary.md says more.
"""

import functools
import json
import pathlib

import gin
from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.command_line import next_command, start_tensorflow
from disentangle_tf.commands.gin_configuration import (
  configured,
  read_configuration,
  read_for,
)
from disentangle_tf.commands.gin_record import changed_setting, run_data, run_model
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.output_files import check_output_dir
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import setting_text

_EXAMPLE = "gin/adversary/manipulate_small.gin"
_EXAMPLE_OF_CONTROL = "gin/adversary/by_hand.gin"


def manipulate(values):
  """Trains the adversary, or writes a control."""
  output_dir = command_line.required(values, "output_dir")
  models = [values.references, *values.entangled, *values.disentangled]
  if values.data and any(models):
    raise UserError(
      "--data changes a set without any model; models know their set: leave --data out"
    )
  if values.data and values.resume:
    raise UserError("--data trains nothing that --resume could go on with: drop one")
  if values.references and values.entangled and values.disentangled:
    raise UserError(
      "--entangled and --disentangled name all references: leave --references out"
    )
  if values["score"].present and not values.references:
    raise UserError("--score ranks the models of --references: leave --score out")
  check_output_dir(output_dir, resume=values.resume, overwrite=values.overwrite)
  start_tensorflow()
  written = _control(values) if values.data else _learned(values)
  print(f"written to {written}; what comes next:")
  words = ["--data", "manipulated", "--gin_bindings", f"FOLDER='{written}'"]
  print(next_command("visualize", *words, "--output_dir", f"{output_dir}/pictures"))


def _control(values):
  from disentangle_tf import adversary, training

  files = values.gin_file or [_EXAMPLE_OF_CONTROL]
  macros = {"data": "DATA"}
  read = read_for(
    "adversary.write_control",
    files=files,
    bindings=values.gin_bindings,
    data=values.data,
    macros=macros,
  )

  def describe():
    read.check_read()
    return gin.operative_config_str()

  write_control = configured(adversary.write_control, _EXAMPLE_OF_CONTROL)
  return write_control(
    output_dir=values.output_dir,
    description=training.RunDescription(text=describe),
    overwrite=values.overwrite,
  )


def _learned(values):
  from disentangle_tf import adversary, training

  data, entangled, disentangled = _references(values)
  runs = [each.told or each.name for each in (*entangled, *disentangled)]
  read = _read(values)
  if values.references:
    _options_of_choice(read)  # which were used before references were read

  def describe():
    read.check_read()
    return f"{gin.operative_config_str()}\nREFERENCES = {runs}\n"

  manipulate_ = configured(adversary.manipulate, _EXAMPLE)
  return manipulate_(
    data=data,
    entangled=entangled,
    disentangled=disentangled,
    output_dir=values.output_dir,
    description=training.RunDescription(
      text=describe, file_name="config.gin", changed_setting=changed_setting
    ),
    resume=values.resume,
    overwrite=values.overwrite,
  )


def _read(values):
  return read_configuration(values.gin_file or [_EXAMPLE], values.gin_bindings)


def _references(values):
  """(data, entangled, disentangled): named runs, and else those of --references."""
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
  found = [_named(values.entangled, data), _named(values.disentangled, data)]
  if not all(found):
    options = _options_of_choice(_read(values))
    chosen = adversary.choose_references(candidates, data, **options)
    found = [given or best for given, best in zip(found, chosen, strict=True)]
  return data, *found


def _options_of_choice(read):
  """What the configuration `read` says of how references are chosen."""
  from disentangle_tf import adversary

  return read.arguments_for(
    adversary.choose_references, _EXAMPLE, given=("candidates", "data")
  )


def _named(runs, data):
  from disentangle_tf import adversary

  return [adversary.Reference.of_model(run_model(run), data, run) for run in runs]


def _candidates(values):
  """[`adversary.Candidate`] of a study, its runs that are done."""
  from disentangle_tf import adversary
  from disentangle_tf.studies.titles import lower_is_better

  sign = -1 if lower_is_better(values.score) else 1
  study = StudyFolder(pathlib.Path(values.references))
  found = []
  for plan in study.read_plans():
    run = study.run(plan)
    if run.state != "done":
      continue
    content = json.loads(run.scores.read_text(encoding="utf-8"))
    scores = content["scores"]
    if values.score not in scores:
      hint = suggest(values.score, scores)
      raise UserError(f"{run.path} has no score {values.score!r}{hint}")
    score = scores[values.score]
    found.append(
      adversary.Candidate(
        name=str(run.path),
        score=sign * score,
        setting=", ".join(filter(None, [plan.method, plan.data, setting_text(plan)])),
        load=functools.partial(run_model, run.path),
        told={
          "run": plan.run,  # without the user's folders: manifests are published
          values.score: score,
          "sha256": content["model"]["sha256"],
        },
      )
    )
  if not found:
    raise UserError(f"{study.path} has no run that is done")
  return found


def _common_data(runs):
  """The data set that all runs share."""
  from disentangle_tf.export import read_manifest

  data = run_data(runs[0])
  told = [read_manifest(pathlib.Path(run) / "export")["data"] for run in runs]
  for run, config in zip(runs, told, strict=True):
    if config != told[0]:
      raise UserError(
        f"{run} was not trained on the data of {runs[0]}: references share one set"
      )
  return data


def main():
  """Entry point of bin/manipulate.py and dtf_manipulate."""
  values = command_line.training_flags()
  flags.DEFINE_string(
    "references", None, "Folder of a study of models of one set.", flag_values=values
  )
  flags.DEFINE_string(
    "score", "mig", "By which a study's models are ranked.", flag_values=values
  )
  flags.DEFINE_multi_string(
    "entangled",
    [],
    "Folder of a run to take as entangled, in place of the study's choice; may be "
    "given several times.",
    flag_values=values,
  )
  flags.DEFINE_multi_string(
    "disentangled", [], "The same for a disentangled one.", flag_values=values
  )
  flags.DEFINE_string(
    "data",
    None,
    "Change this set without any model: a name of gin/data or a gin file that sets "
    "DATA.",
    flag_values=values,
  )
  command_line.run(manipulate, values, __doc__)


if __name__ == "__main__":
  main()
