"""Encoders as Keras 2 writes them; needs TensorFlow 2.15.1.

`keras_2.keras` is a compiled stack of layers; `keras_2_functional.keras` has two
outputs, functions of TensorFlow, and recurrent layers. keras_2.npz: images, codes.
"""

import numpy as np
import tensorflow as tf

layers = tf.keras.layers


def main():
  tf.keras.utils.set_random_seed(0)
  images = np.random.default_rng(0).random((5, 8, 8, 1), np.float32)
  stack = tf.keras.Sequential(
    [
      layers.Conv2D(2, 3, strides=2, activation="relu", input_shape=(8, 8, 1)),
      layers.BatchNormalization(),
      layers.Flatten(),
      layers.Dense(3),
    ]
  )
  stack.compile("adam", "mse")
  inputs = tf.keras.Input((8, 8, 1))
  rows = layers.Reshape((8, 8))(inputs)
  hidden = layers.Bidirectional(layers.GRU(2))(rows)
  hidden = tf.concat([hidden, tf.reduce_mean(rows, axis=-1)], axis=-1)
  both = layers.Dense(6)(hidden)
  functional = tf.keras.Model(inputs, [both[:, :3], tf.math.softplus(both[:, 3:])])
  stack.save("keras_2.keras")
  functional.save("keras_2_functional.keras")
  codes = {
    "keras_2.keras": stack(images).numpy(),
    "keras_2_functional.keras": np.concatenate(functional(images), 1),
  }
  np.savez("keras_2.npz", images=images, **codes)


if __name__ == "__main__":
  main()
