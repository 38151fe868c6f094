"""Where the time of a training step goes, by TensorFlow's profiler.

The step is the MSE step of training_step.py. Operations are counted by their type and
their place: a convolution's own product, its two gradients, biases and activations,
the optimiser, the loss, and the batch made on the device. Seconds of operations that
run at the same time add up, so only the shares count.
"""

import collections
import pathlib
import re
import tempfile

import tensorflow as tf
from standard_models import conv_model, step_taker

from disentangle_tf.data import XYSquares

# The first that fits; (name of the part, pattern of "scope/.../name:Type").
PARTS = (
  ("optimizer", r"/adam/|/Adam/|ResourceApply"),
  ("layout changes", r":(?:Transpose|_Mkl.*(?:To|Convert).*|_MklTranspose)$"),
  ("convolutions, gradient of the kernel", r"gradient_tape.*Conv2DBackpropFilter"),
  ("convolutions, gradient of the input", r"gradient_tape.*conv.*:.*Conv2D"),
  ("convolutions, forward", r"Conv2D"),
  ("dense layers", r"MatMul"),
  ("gradients of biases", r"BiasAddGrad$"),
  ("gradients of activations", r":ReluGrad$"),
  ("biases and activations", r":(?:BiasAdd|Relu)$"),
  ("gradient of the loss and of sampling", r"gradient_tape"),
  ("batch, loss and sampling", r""),
)
_OPERATION = re.compile(r"^[\w./]+:\w+$")


def measure(quick):
  take = step_taker(conv_model(XYSquares()), XYSquares())
  take(2)
  steps = 3 if quick else 10
  with tempfile.TemporaryDirectory() as folder:
    with tf.profiler.experimental.Profile(folder):
      take(steps)
    seconds = operation_seconds(pathlib.Path(folder))
  total = sum(seconds.values())
  found, slowest = collections.Counter(), collections.Counter()
  for name, taken in seconds.items():
    part = next(part for part, pattern in PARTS if re.search(pattern, name))
    found[part] += taken
    slowest[re.sub(r"while/(?:body/_\d+/)?", "", name)] += taken
  return {
    "rows": [
      {"name": part, "share_of_step": round(found[part] / total, 3)}
      for part, _ in PARTS
    ],
    "facts": {
      "slowest": {n: round(s / total, 3) for n, s in slowest.most_common(12)},
    },
  }


def operation_seconds(folder):
  """{"scope/name:Type" of an operation: seconds} of a profile."""
  from tensorflow.tsl.profiler.protobuf import xplane_pb2

  seconds = collections.Counter()
  for path in folder.rglob("*.xplane.pb"):
    space = xplane_pb2.XSpace.FromString(path.read_bytes())
    for plane in space.planes:
      for line in plane.lines:
        for event in line.events:
          name = plane.event_metadata[event.metadata_id].name
          if _OPERATION.match(name) and not name.endswith(
            (":While", ":StatelessWhile")
          ):
            seconds[name] += event.duration_ps / 1e12
  return seconds
