import importlib

import keras

from disentangle_tf.foreign.scan import allowed_keras


def test_every_layer_on_the_list_is_one():
  import tf_keras

  known = {*vars(keras.layers), *vars(tf_keras.layers)}
  assert known >= allowed_keras.LAYERS
  code = "Lambda TFSMLayer TorchModuleWrapper JaxLayer FlaxLayer StringLookup Wrapper"
  assert not allowed_keras.LAYERS & set(code.split())
  for module, names in allowed_keras.OPERATIONS.items():
    assert vars(importlib.import_module(module)).keys() >= names
