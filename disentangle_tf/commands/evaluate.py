"""Scores an exported model.

  python bin/evaluate.py --model runs/mine/export --output_dir runs/mine/scores

writes scores.json and TensorBoard scalars. The data set is the one the export names,
unless --data names another; the metrics are those of gin/metrics/default.gin, unless
--gin_file names others.
"""

from absl import flags

from disentangle_tf.commands import command_line
from disentangle_tf.commands.gin_configuration import (
  configured,
  find_data,
  read_configuration,
)
from disentangle_tf.commands.quiet_start import start_tensorflow


def evaluate(values):
  """Reads the configuration and scores."""
  model = command_line.required(values, "model")
  output_dir = command_line.required(values, "output_dir")
  files = values.gin_file or ["gin/metrics/default.gin"]
  bindings = values.gin_bindings
  if values.data:
    files = [*files, find_data(values.data)]
    bindings = [*bindings, "evaluation.evaluate.data = %DATA"]
  start_tensorflow()
  from disentangle_tf import evaluation

  read_configuration(files, bindings)
  result = configured(evaluation.evaluate, "gin/metrics/default.gin")(
    model=model, output_dir=output_dir, overwrite=values.overwrite
  )
  for name, score in result["scores"].items():
    print(f"{name:38} {score:.4f}")
  print(f"written to {output_dir}/scores.json")


def main():
  """Entry point of bin/evaluate.py and dtf_evaluate."""
  values = command_line.gin_flags()
  flags.DEFINE_string("model", None, "Folder of the export.", flag_values=values)
  flags.DEFINE_string(
    "data", None, "Data set to score on: NAME of gin/data/NAME.gin.", flag_values=values
  )
  command_line.run(evaluate, values, __doc__)


if __name__ == "__main__":
  main()
