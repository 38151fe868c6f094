"""Scores models: exports of this project, and foreign models.

  python bin/evaluate.py --model runs/mine/export --output_dir runs/mine/scores
  python bin/evaluate.py --model a.onnx --data dsprites --output_dir runs/a
  python bin/evaluate.py --model 'runs/*/export' --protocol fast --output_dir runs/table
  python bin/evaluate.py --model a.onnx --scan_only

Writes scores.json, report.html and TensorBoard scalars. Several models get a folder
each, and comparison.html, .txt, .csv and .md, which are updated after each model;
--resume continues them. A model is a program: it is scanned before it is loaded, and
runs in a sandbox, see docs/evaluating.md.

The data set is that of --data, or else the one that an export names. The metrics are
those of --protocol, such as fast, full or locatello, or of a list in a --gin_file; by
default those of gin/metrics/default.gin.

Exit code 2: a mistake in the command. Exit code 3: a model was refused or failed.
"""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from absl import flags

from disentangle_tf.commands import command_line, foreign_flags
from disentangle_tf.commands.command_line import checked_output_dir, start_tensorflow
from disentangle_tf.commands.configured_measurements import (
  check_settings_of_all,
  configured_measurements,
)
from disentangle_tf.commands.gin_configuration import find_data, read_for
from disentangle_tf.commands.metric_settings import protocol_binding
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.model_files import find_kind, find_models, holds_arrays
from disentangle_tf.foreign.sandbox.warm_children import warm_children
from disentangle_tf.text import printable

if TYPE_CHECKING:
  import pathlib

  from disentangle_tf.foreign.foreign_model import ForeignModel
  from disentangle_tf.foreign.scan.verdict import Finding

_EXAMPLE = "gin/metrics/default.gin"


def evaluate(values: flags.FlagValues) -> None:
  """Score the models, or only scan them."""
  # Mistakes in the flags are reported before TensorFlow is loaded.
  patterns = command_line.required(values, "model")
  options = foreign_flags.options(values)
  if values.data:
    find_data(values.data)
  models = find_models(patterns)
  output_dir = "" if values.scan_only else checked_output_dir(values)
  if values.scan_only:
    start_tensorflow()
    _scan(models, data_named=bool(values.data))
    return
  with warm_children(at_once=_needs_sandbox(models, values)):
    start_tensorflow()
    _score(models, values, output_dir, options)


def _needs_sandbox(models: Sequence[pathlib.Path], values: flags.FlagValues) -> bool:
  """Whether a sandbox will surely load TensorFlow."""
  if values.trusted or values.resume:
    return False
  return any(find_kind(path) not in (None, "arrays", "onnx") for path in models)


def _score(
  models: Sequence[pathlib.Path],
  values: flags.FlagValues,
  output_dir: str,
  options: dict[str, Any],
) -> None:
  from disentangle_tf import evaluation

  output: dict[str, Any] = {
    "output_dir": output_dir,
    "overwrite": values.overwrite,
    "resume": values.resume,
  }
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


def files_and_bindings(values: flags.FlagValues) -> tuple[list[str], list[str]]:
  """The gin files and bindings that the flags set."""
  if not values.protocol:
    return values.gin_file or [_EXAMPLE], values.gin_bindings
  for binding in values.gin_bindings:
    if re.match(r"\s*evaluation\.evaluate\.measurements\s*=", binding):
      raise UserError(f"--protocol {values.protocol} and {binding}: keep one")
  bindings = [protocol_binding(values.protocol), *values.gin_bindings]
  return values.gin_file, bindings


def evaluate_arguments(
  files: Sequence[str],
  bindings: Sequence[str] = (),
  *,
  data: str | None = None,
  given: Collection[str],
) -> dict[str, Any]:
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


def _scan(models: Sequence[pathlib.Path], *, data_named: bool) -> None:
  """Print the verdict of the scan on each model, as text and as JSON.

  Args:
    models: their paths.
    data_named: whether --data names the data set, so that the manifest's is ignored.
  """
  verdicts = {}
  for path in models:
    try:
      verdicts[str(path)] = _verdict(path, data_named)
    except UserError as error:
      if len(models) == 1 and not isinstance(error, ModelError):
        raise
      words = printable(error, longest=2_000)
      print(f"{printable(path)}: {words}")
      verdicts[str(path)] = {"allowed": False, "findings": [{"what": words}]}
  print(json.dumps(verdicts, indent=2))
  if not all(verdict["allowed"] for verdict in verdicts.values()):
    sys.exit(3)


def _verdict(path: pathlib.Path, data_named: bool) -> dict[str, Any]:
  """The verdict on one model, as JSON; it is also printed as text."""
  from disentangle_tf.foreign.foreign_model import ForeignModel

  if holds_arrays(path):
    print(f"{printable(path)}: allowed: arrays contain no program")
    return {"kind": "arrays", "allowed": True}
  with ForeignModel(path) as model:
    verdict = model.verdict.with_findings(_manifest_findings(model, data_named))
    print(f"{printable(path)}: {verdict.to_text()}")
    for offer in model.offers:
      print(f"  offers {printable(offer, longest=2_000)}")
    return {"sha256": model.sha256_of_all, **verdict.to_json()}


def _manifest_findings(model: ForeignModel, data_named: bool) -> Iterator[Finding]:
  """Reasons to refuse the manifest, if the model has one."""
  from disentangle_tf.data import check_foreign_data
  from disentangle_tf.evaluation.opening import manifest_of
  from disentangle_tf.foreign.scan.verdict import Finding

  try:
    manifest = manifest_of(model)
    if manifest and not data_named:
      check_foreign_data(manifest["data"])
  except UserError as error:
    yield Finding(str(error), "manifest.json")


def _print_scores(result: dict[str, Any], output_dir: str) -> None:
  for name, score in result["scores"].items():
    deviation = result["deviations"].get(name)
    spread = "" if deviation is None else f" ± {deviation:.4f}"
    print(f"{name:38} {score:.4f}{spread}")
  for name, reason in result["skipped"].items():
    print(f"{name:38} skipped: {reason}")
  print(f"written to {output_dir}/scores.json and {output_dir}/report.html")


def _define_flags() -> flags.FlagValues:
  values = command_line.gin_flags()
  flags.DEFINE_multi_string(
    "model",
    [],
    "Folder of a SavedModel; .onnx, .keras, .npz or .npy file; folder that contains "
    "some of these; or a pattern",
    flag_values=values,
  )
  command_line.define_data_flag(values, "Data set")
  flags.DEFINE_string(
    "protocol",
    None,
    "Name of a list of metrics, such as fast, full or locatello (docs/metrics.md lists "
    "all); it replaces the list of --gin_file.",
    flag_values=values,
  )
  foreign_flags.define(values)
  flags.DEFINE_bool(
    "resume",
    False,
    "Continue in an existing output_dir: unchanged models that were scored with the "
    "same settings are not scored again.",
    flag_values=values,
  )
  flags.DEFINE_bool(
    "scan_only", False, "Scan models without loading them.", flag_values=values
  )
  return values


def main() -> None:
  """Entry point of bin/evaluate.py and dtf_evaluate."""
  command_line.run(evaluate, _define_flags(), __doc__)


if __name__ == "__main__":
  main()
