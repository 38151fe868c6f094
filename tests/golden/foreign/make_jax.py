"""Encoders as JAX exports them; needs TensorFlow 2.21.0 and JAX, as an argument says.

`make_jax.py native` with JAX 0.10.2 makes `jax_native`, a StableHLO program. With JAX
0.4.30, `old` makes the same as it was then, `graph` one of TensorFlow's own operations
(enable_xla=False), `xla` one of XLA's. jax_WAY.npz: images and their codes.
"""

import sys

import jax
import numpy as np
import tensorflow as tf
from jax.experimental import jax2tf

_OPTIONS = {
  "native": {},
  "old": {"native_serialization": True},
  "graph": {
    "native_serialization": False,
    "enable_xla": False,
    "with_gradient": False,
  },
  "xla": {"native_serialization": False, "with_gradient": False},
}


def encode(parameters, images):
  """Images [N, 8, 8, 1] -> means and log-variances [N, 3]."""
  numbers = ("NHWC", "HWIO", "NHWC")
  hidden = jax.lax.conv_general_dilated(
    images, parameters["kernel"], (2, 2), "SAME", dimension_numbers=numbers
  )
  both = jax.nn.relu(hidden).reshape(images.shape[0], -1) @ parameters["dense"]
  return {"mean": both[:, :3], "logvar": both[:, 3:]}


def main(way):
  rng = np.random.default_rng(0)
  images = rng.random((5, 8, 8, 1), np.float32)
  parameters = {
    "kernel": rng.standard_normal((3, 3, 1, 2), np.float32),
    "dense": rng.standard_normal((32, 6), np.float32),
  }
  module = tf.Module()
  module.parameters = {name: tf.Variable(value) for name, value in parameters.items()}
  converted = jax2tf.convert(
    encode, polymorphic_shapes=[None, "n, ..."], **_OPTIONS[way]
  )
  module.encode = tf.function(
    lambda images: converted(module.parameters, images),
    input_signature=[tf.TensorSpec([None, 8, 8, 1], name="images")],
    autograph=False,
  )
  tf.saved_model.save(module, f"jax_{way}", signatures=module.encode)
  codes = encode(parameters, images)
  both = np.concatenate([codes["mean"], codes["logvar"]], 1)
  np.savez(f"jax_{way}.npz", images=images, **{f"jax_{way}": both})


if __name__ == "__main__":
  main(sys.argv[1])
