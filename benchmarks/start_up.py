"""Seconds from a command to its first result.

"First training step" ends when the progress bar shows a step, "first score" when the
command has ended. Commands are run in turn, each in a new process; the system has read
their files before. `python`, and the import of TensorFlow alone, are for comparison.
"""

import functools
import pathlib
import re
import tempfile

from command_costs import cost_of_python
from exports import small_export, write_onnx_encoder
from interleaved import in_turn, rows

TRAIN = ("bin/train.py", "--gin_file", "gin/runs/demo_mse.gin")
FIRST_STEP = r"\b[1-9]\d*/100000\b"


def commands(folder):
  """{name: function that runs it and returns its cost}."""
  export, onnx = folder / "export", folder / "encoder.onnx"
  small_export(export)
  write_onnx_encoder(onnx)

  def score(*arguments):
    output = tempfile.mkdtemp(dir=folder)
    return cost_of_python(
      "bin/evaluate.py",
      *("--protocol", "fast", "--output_dir", f"{output}/scores", *arguments),
    )

  def train(*arguments, **options):
    output = tempfile.mkdtemp(dir=folder)
    return cost_of_python(
      *TRAIN, "--output_dir", f"{output}/run", *arguments, **options
    )

  foreign = ("--model", onnx, "--data", "xysquares_small")
  return {
    "python": functools.partial(cost_of_python, "-c", "pass"),
    "import tensorflow": functools.partial(cost_of_python, "-c", "import tensorflow"),
    "import disentangle_tf": functools.partial(
      cost_of_python, "-c", "import disentangle_tf"
    ),
    "import disentangle_tf.metrics": functools.partial(
      cost_of_python, "-c", "import disentangle_tf.metrics"
    ),
    "train --help": functools.partial(
      cost_of_python, "bin/train.py", "--help", may_fail=True
    ),
    "a mistake in a flag": functools.partial(
      cost_of_python, "bin/train.py", "--gin_fiel", "x", may_fail=True
    ),
    "first training step": functools.partial(
      train, "--gin_bindings", "STEPS=100000", until=FIRST_STEP
    ),
    "a training of 1 step, with export": functools.partial(
      train, "--gin_bindings", "STEPS=1"
    ),
    "scores of an export": functools.partial(score, "--model", export),
    "scores of a foreign ONNX file": functools.partial(score, *foreign),
  }


def measure(quick):
  rounds = 1 if quick else 3
  with tempfile.TemporaryDirectory() as place:
    costs = in_turn(commands(pathlib.Path(place)), rounds)
  times = {name: [each.times() for each in taken] for name, taken in costs.items()}
  found = rows(times, unit="command")
  for row in found:
    row["peak_mb"] = max(cost.peak_mb for cost in costs[row["name"]])
  assert re.search(
    "did you mean|unknown|Unknown", costs["a mistake in a flag"][0].output
  )
  return {"rows": found}
