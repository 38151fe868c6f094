"""Scores models, whoever made them.

  python bin/evaluate.py --model runs/mine/export --output_dir runs/mine/scores
  python bin/evaluate.py --model theirs.onnx --data dsprites --output_dir runs/theirs
  python bin/evaluate.py --model 'runs/*/export' --protocol fast --output_dir runs/table
  python bin/evaluate.py --model theirs/saved_model --scan_only

writes scores.json, report.html and TensorBoard scalars; for several models a folder
each, and comparison.html, .txt, .csv and .md, anew after each model; --resume goes on
with them. A model is a program: it is looked at before it is loaded, and runs in a
confined process; docs/evaluating.md says what that means. The data set is the one an
export names, unless --data names another. The metrics are those of
gin/metrics/default.gin, unless --protocol names a list of them, such as fast, full or
locatello, or --gin_file a list of your own.

Exit code 2 is a mistake in the command, 3 a model that was refused or failed.
"""

import functools
import json
import re
import sys

from absl import flags

from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.command_line import start_tensorflow
from disentangle_tf.commands.configured_measurements import (
  check_settings_of_all,
  configured_measurements,
)
from disentangle_tf.commands.gin_configuration import find_data, read_for
from disentangle_tf.commands.metric_settings import protocol_binding
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.model_files import find_models, holds_arrays
from disentangle_tf.output_files import check_output_dir
from disentangle_tf.text import printable

_EXAMPLE = "gin/metrics/default.gin"


def evaluate(values):
  """Reads the configuration and scores, or only looks."""
  # What can be wrong with the flags is told before TensorFlow is loaded.
  models = find_models(command_line.required(values, "model"))
  if not values.scan_only:
    output_dir = command_line.required(values, "output_dir")
    check_output_dir(output_dir, resume=values.resume, overwrite=values.overwrite)
  options = foreign_flags.options(values)
  if values.data:
    find_data(values.data)
  start_tensorflow()
  from disentangle_tf import evaluation

  if values.scan_only:
    _scan(models, data_named=bool(values.data))
    return
  output = {"output_dir": output_dir}
  output |= {"overwrite": values.overwrite, "resume": values.resume}
  arguments = evaluate_arguments(
    *files_and_bindings(values),
    data=values.data,
    given=("model", *output, *options),
  )
  score = functools.partial(evaluation.evaluate, **arguments, **options)
  if len(models) == 1:
    _print_scores(score(model=models[0], **output), output_dir)
    return
  comparison = evaluation.compare(models, score, **output)
  print(f"\n{comparison.to_text()}\nwritten to {output_dir}")
  if comparison.failures:
    sys.exit(3)


def files_and_bindings(values):
  """The gin files and bindings that the flags name."""
  if not values.protocol:
    return values.gin_file or [_EXAMPLE], values.gin_bindings
  for binding in values.gin_bindings:
    if re.match(r"\s*evaluation\.evaluate\.measurements\s*=", binding):
      raise UserError(f"--protocol {values.protocol} and {binding}: keep one")
  bindings = [protocol_binding(values.protocol), *values.gin_bindings]
  return values.gin_file, bindings


def evaluate_arguments(files, bindings=(), *, data=None, given):
  """Read the arguments of `evaluation.evaluate` from gin files and bindings.

  Args:
    files, bindings: gin files, and gin bindings that override them.
    data: name or gin file of a data set, which overrides both.
    given: names of the arguments that the caller passes itself.
  """
  from disentangle_tf import evaluation
  from disentangle_tf.scoring.measurement import check_measurements

  command_line = read_for(
    "evaluation.evaluate",
    files=files,
    bindings=bindings,
    data=data,
    macros={"data": "DATA"},
  )
  arguments = command_line.arguments_for(evaluation.evaluate, _EXAMPLE, given=given)
  check_measurements(arguments["measurements"])
  arguments["measurements"] = configured_measurements(
    arguments["measurements"], command_line
  )
  check_settings_of_all(arguments, command_line)
  command_line.check_read()
  return arguments


def _scan(models, *, data_named):
  """Prints what a look at each model finds, as text and as JSON.

  Args:
    models: their paths.
    data_named: whether --data names the set, in place of the manifest.
  """
  verdicts = {}
  for path in models:
    try:
      verdicts[str(path)] = _look(path, data_named)
    except UserError as error:
      if len(models) == 1 and not isinstance(error, ModelError):
        raise
      words = printable(error, longest=2_000)
      print(f"{printable(path)}: {words}")
      verdicts[str(path)] = {"allowed": False, "findings": [{"what": words}]}
  print(json.dumps(verdicts, indent=2))
  if not all(verdict["allowed"] for verdict in verdicts.values()):
    sys.exit(3)


def _look(path, data_named):
  """The verdict on one model, as JSON; prints it as text."""
  from disentangle_tf.foreign.foreign_model import ForeignModel

  if holds_arrays(path):
    print(f"{printable(path)}: allowed: arrays, which hold no program")
    return {"kind": "arrays", "allowed": True}
  with ForeignModel(path) as model:
    verdict = model.verdict.with_findings(_manifest_findings(model, data_named))
    print(f"{printable(path)}: {verdict.to_text()}")
    for offer in model.offers:
      print(f"  offers {printable(offer, longest=2_000)}")
    return {"sha256": model.sha256_of_all, **verdict.to_json()}


def _manifest_findings(model, data_named):
  """What speaks against the manifest, if it has one."""
  from disentangle_tf.data import check_strangers_set
  from disentangle_tf.evaluation.opening import manifest_of
  from disentangle_tf.foreign.scan.verdict import Finding

  try:
    manifest = manifest_of(model)
    if manifest and not data_named:
      check_strangers_set(manifest["data"])
  except UserError as error:
    yield Finding(str(error), "manifest.json")


def _print_scores(result, output_dir):
  for name, score in result["scores"].items():
    deviation = result["deviations"].get(name)
    spread = "" if deviation is None else f" ± {deviation:.4f}"
    print(f"{name:38} {score:.4f}{spread}")
  for name, reason in result["skipped"].items():
    print(f"{name:38} skipped: {reason}")
  print(f"written to {output_dir}/scores.json and {output_dir}/report.html")


def _define_flags():
  values = command_line.gin_flags()
  flags.DEFINE_multi_string(
    "model",
    [],
    "Folder of a SavedModel, .onnx, .keras, .npz or .npy file, a folder that holds "
    "some, or a pattern; may be given several times.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "data",
    None,
    "Data set to score on: NAME of gin/data/NAME.gin, or a gin file that sets DATA.",
    flag_values=values,
  )
  flags.DEFINE_string(
    "protocol",
    None,
    "Name of a list of metrics, such as fast, full or locatello (docs/metrics.md has "
    "all); it takes the place of the list of --gin_file.",
    flag_values=values,
  )
  foreign_flags.define(values)
  flags.DEFINE_bool(
    "resume",
    False,
    "Go on with what an earlier command left in output_dir: models that were scored "
    "with the same settings, and have not changed, are not scored again.",
    flag_values=values,
  )
  flags.DEFINE_bool(
    "scan_only", False, "Look at models, load none.", flag_values=values
  )
  return values


def main():
  """Entry point of bin/evaluate.py and dtf_evaluate."""
  command_line.run(evaluate, _define_flags(), __doc__)


if __name__ == "__main__":
  main()
