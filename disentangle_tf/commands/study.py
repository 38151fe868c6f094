r"""Trains and scores many models, one after another, and draws what came out.

  python bin/study.py --gin_file gin/studies/michlo_figure_11.gin \
      --output_dir runs/figure_11
  python bin/study.py --gin_file gin/studies/michlo_figure_4.gin \
      --output_dir runs/cars \
      --gin_bindings 'studies.study.files = ["gin/data/cars3d.gin"]'

writes a folder for each model, study.json, scores.md and the figures. What it will draw
is tried out first. A model that fails is left out, and named in failures.json with the
last lines of what it said; the exit code is then 1. With --resume it keeps what is
finished, goes on where it stopped, and tries again what failed.
"""

import json
import sys

import gin
from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.quiet_start import start_tensorflow
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import check_output_dir

_EXAMPLE = "gin/studies/michlo_figure_10.gin"


def study(values):
  """Reads the configuration and runs."""
  output_dir = command_line.required(values, "output_dir")
  if not values.gin_file:
    raise UserError(f"--gin_file is missing: try --gin_file {_EXAMPLE}")
  check_output_dir(output_dir, resume=values.resume, overwrite=values.overwrite)
  start_tensorflow()
  from disentangle_tf import studies

  def read():
    return read_configuration(values.gin_file, values.gin_bindings)

  def check(files, bindings):
    try:
      read_configuration(files, bindings)
    finally:
      read()  # the study's own, which its drawing still needs

  def score_names(metrics):
    try:
      return studies.score_names(_measurements(metrics))
    finally:
      read()

  given = {
    "output_dir": output_dir,
    "resume": values.resume,
    "overwrite": values.overwrite,
    "check": check,
    "score_names": score_names,
    "describe": gin.config_str,
  }
  bindings = read()
  arguments = bindings.arguments_for(studies.study, _EXAMPLE, given=given)
  if arguments.get("plot"):
    bindings.options_of(arguments["plot"])  # it is called at the end
  bindings.check_read()
  studies.study(**arguments, **given)
  with open(f"{output_dir}/scores.md", encoding="utf-8") as file:
    print(f"\n{file.read()}\nwritten to {output_dir}")
  with open(f"{output_dir}/failures.json", encoding="utf-8") as file:
    failures = json.load(file)
  for failure in failures:
    last = (failure["last_lines"] or ["it said nothing"])[-1]
    print(f"study: {failure['folder']} failed: {last}", file=sys.stderr)
  if failures:
    print("study: --resume tries again what failed", file=sys.stderr)
    sys.exit(1)


def _measurements(file):
  """What the gin file `file` says to measure."""
  read_configuration([file], [])
  try:
    found = gin.get_bindings("evaluation.evaluate").get("measurements")
  except ValueError:  # gin has never heard of it
    found = None
  if not found:
    raise UserError(f"{file} sets no evaluation.evaluate.measurements")
  return found


def main():
  """Entry point of bin/study.py and dtf_study."""
  values = command_line.gin_flags()
  flags.DEFINE_bool(
    "resume", False, "Keep what is finished and go on.", flag_values=values
  )
  command_line.run(study, values, __doc__)


if __name__ == "__main__":
  main()
