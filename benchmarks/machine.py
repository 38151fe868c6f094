"""What this machine can do at most, and what a training step has to do.

The limit of float32 arithmetic is the speed of a large matrix product, that of memory
the speed of a sum of two large arrays. The arithmetic of a step follows from the shapes
of the layers.
"""

import math
import os
import platform

import tensorflow as tf
from interleaved import in_turn, rows, timed

SIDE = 3072
NUMBERS = 2**25


def product_gflop(side=SIDE):
  """Arithmetic of the product of two square matrices."""
  return 2 * side**3 / 1e9


def timed_product(side=SIDE, *, repeats=1):
  """A function that times products of two float32 matrices."""
  left, right = tf.random.normal([2, side, side])

  def multiply():
    for _ in range(repeats):
      product = left @ right
    return product.numpy()

  multiply()
  return timed(multiply)


def timed_sum():
  """A function that times the sum of two arrays that fit into no cache."""
  left, right = tf.random.normal([2, NUMBERS])

  def add():
    return left + right

  add()
  return timed(add)


def forward_gflop(network):
  """Arithmetic of one image's way through a Keras network's layers."""
  total = 0.0
  for layer in network.layers:
    if not hasattr(layer, "kernel"):
      continue
    kernel = math.prod(layer.kernel.shape)
    # A kernel is applied at each place of the smaller of the two images.
    places = [math.prod(x.shape[1:-1]) for x in (layer.input, layer.output)]
    total += 2 * kernel * min(places) / 1e9
  return total


def step_gflop(model, batch_size):
  """Arithmetic of a training step: forward, and twice that for the gradients."""
  networks = [model.encoder, model.decoder]
  first = next(layer for layer in model.encoder.layers if hasattr(layer, "kernel"))
  places = math.prod(first.output.shape[1:-1])
  unneeded = 2 * math.prod(first.kernel.shape) * places / 1e9  # images have no gradient
  return batch_size * (3 * sum(map(forward_gflop, networks)) - unneeded)


def description():
  """{"cores", "processor", "vector_units", "libraries"} of this machine."""
  lines = []
  if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
      lines = file.read().splitlines()
  known = dict(line.split(":", 1) for line in lines if ":" in line)
  known = {key.strip(): value.strip() for key, value in known.items()}
  flags = known.get("flags", "").split()
  return {
    "cores": os.cpu_count(),
    "processor": known.get("model name", platform.processor()),
    "vector_units": [x for x in ("avx2", "avx512f", "avx512_bf16") if x in flags],
    "python": platform.python_version(),
    "tensorflow": tf.__version__,
    "gpus": len(tf.config.list_physical_devices("GPU")),
    "load": round(os.getloadavg()[0], 1),
  }


def measure(quick):
  rounds = 3 if quick else 7
  variants = {"matrix product": timed_product(), "sum of arrays": timed_sum()}
  found = rows(in_turn(variants, rounds))
  product, total = found
  product["gflop_per_s"] = round(product_gflop() / product["wall"]["least"])
  product["gflop_per_cpu_s"] = round(product_gflop() / product["cpu"]["least"])
  total["gb_per_s"] = round(3 * 4 * NUMBERS / 1e9 / total["wall"]["least"], 1)
  return {"rows": found, "facts": description()}
