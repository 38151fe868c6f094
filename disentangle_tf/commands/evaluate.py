"""Scores models, whoever made them.

  python bin/evaluate.py --model runs/mine/export --output_dir runs/mine/scores
  python bin/evaluate.py --model theirs.onnx --data dsprites --output_dir runs/theirs
  python bin/evaluate.py --model 'runs/*/export' --output_dir runs/table
  python bin/evaluate.py --model theirs/saved_model --scan_only

writes scores.json, report.html and TensorBoard scalars; for several models a folder
each, and comparison.txt, .csv and .md. A model is a program: it is looked at before it
is loaded, and runs in a confined process; docs/evaluating.md says what that means. The
data set is the one an export names, unless --data names another; the metrics are those
of gin/metrics/default.gin, unless --gin_file names others.

Exit code 2 is a mistake in the command, 3 a model that was refused or failed.
"""

import functools
import json
import sys

from absl import flags

from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.gin_configuration import (
  configured,
  find_data,
  read_configuration,
)
from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.errors import UserError
from disentangle_tf.foreign.find_models import find_models
from disentangle_tf.foreign.model_files import find_kind
from disentangle_tf.output_files import check_output_dir


def evaluate(values):
  """Reads the configuration and scores, or only looks."""
  # What can be wrong with the flags is told before TensorFlow is loaded.
  models = find_models(command_line.required(values, "model"))
  if not values.scan_only:
    output_dir = command_line.required(values, "output_dir")
    check_output_dir(output_dir, overwrite=values.overwrite)
  options = foreign_flags.options(values)
  if values.data:
    find_data(values.data)
  start_tensorflow()
  from disentangle_tf import evaluation

  if values.scan_only:
    _scan(models)
    return
  score = functools.partial(_configured_evaluation(values), **options)
  output = {"output_dir": output_dir, "overwrite": values.overwrite}
  if len(models) == 1:
    _print_scores(score(model=models[0], **output), output_dir)
    return
  comparison = evaluation.compare(models, _explained(score), **output)
  print(f"\n{comparison.to_text()}\nwritten to {output_dir}")
  if comparison.failures:
    sys.exit(3)


def _configured_evaluation(values):
  """`evaluation.evaluate` with what the gin files and bindings say."""
  from disentangle_tf import evaluation

  files = values.gin_file or ["gin/metrics/default.gin"]
  bindings = values.gin_bindings
  if values.data:
    files = [*files, find_data(values.data)]
    bindings = [*bindings, "evaluation.evaluate.data = %DATA"]
  read_configuration(files, bindings)
  return configured(evaluation.evaluate, "gin/metrics/default.gin")


def _explained(score):
  """`score`, whose errors are one line each and say nothing of gin."""

  def call(**arguments):
    try:
      return score(**arguments)
    except UserError as error:
      raise UserError(explain(error)) from error

  return call


def _scan(models):
  """Prints what a look at each model finds, as text and as JSON."""
  from disentangle_tf.foreign.foreign_model import ForeignModel
  from disentangle_tf.foreign.model_error import ModelError

  verdicts = {}
  for path in models:
    if find_kind(path) == "arrays":
      print(f"{path}: allowed: arrays, which hold no program")
      verdicts[str(path)] = {"kind": "arrays", "allowed": True}
      continue
    try:
      with ForeignModel(path) as model:
        print(f"{path}: {model.verdict.to_text()}")
        for offer in model.offers:
          print(f"  offers {offer}")
        verdicts[str(path)] = {"sha256": model.sha256_of_all, **model.verdict.to_json()}
    except ModelError as error:
      print(f"{path}: {error}")
      verdicts[str(path)] = {"allowed": False, "findings": [{"what": str(error)}]}
  print(json.dumps(verdicts, indent=2))
  if not all(verdict["allowed"] for verdict in verdicts.values()):
    sys.exit(3)


def _print_scores(result, output_dir):
  for name, score in result["scores"].items():
    print(f"{name:38} {score:.4f}")
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
    "Data set to score on: NAME of gin/data/NAME.gin.",
    flag_values=values,
  )
  foreign_flags.define(values)
  flags.DEFINE_bool(
    "scan_only", False, "Look at models, load none.", flag_values=values
  )
  return values


def main():
  """Entry point of bin/evaluate.py and dtf_evaluate."""
  command_line.run(evaluate, _define_flags(), __doc__)


if __name__ == "__main__":
  main()
