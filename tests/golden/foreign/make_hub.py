"""A TF-Hub module as disentanglement_lib exports them: `hub`, and its codes in hub.npz.

Needs TensorFlow 2.21.0 and the sources of tensorflow_hub 0.15.0, less the two lines of
its `__init__.py` that import its estimators, which TensorFlow no longer has.
"""

import numpy as np
import tensorflow as tf
import tensorflow_hub as hub

v1 = tf.compat.v1


def module(is_training):
  """Images [N, 8, 8, 1] -> means and log-variances [N, 3]."""
  images = v1.placeholder(tf.float32, [None, 8, 8, 1])
  with v1.variable_scope("encoder", reuse=v1.AUTO_REUSE):
    kernel = v1.get_variable("kernel", [64, 6])
  hidden = tf.reshape(images, [-1, 64])
  mean, logvar = tf.split(tf.matmul(hidden, kernel), 2, 1)
  outputs = {"mean": mean, "logvar": logvar}
  hub.add_signature(name="gaussian_encoder", inputs={"images": images}, outputs=outputs)


def main():
  images = np.random.default_rng(0).random((5, 8, 8, 1), np.float32)
  variants = [({"train"}, {"is_training": True}), (set(), {"is_training": False})]
  specification = hub.create_module_spec(module, tags_and_args=variants)
  with v1.Graph().as_default(), v1.Session() as session:
    v1.set_random_seed(0)
    made = hub.Module(specification, name="module", trainable=True)
    session.run(v1.global_variables_initializer())
    made.export("hub", session)
    outputs = made(images, signature="gaussian_encoder", as_dict=True)
    mean, logvar = session.run([outputs["mean"], outputs["logvar"]])
  np.savez("hub.npz", images=images, hub=np.concatenate([mean, logvar], 1))


if __name__ == "__main__":
  main()
