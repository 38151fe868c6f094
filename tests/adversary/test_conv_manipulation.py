import numpy as np

from disentangle_tf.adversary import conv_manipulation


def test_the_paper_s_decoder_on_one_scalar():
  made = conv_manipulation((64, 64, 3), 6)
  shapes = [tuple(variable.shape) for variable in made.trainable_variables]
  assert shapes[:4] == [(6, 1), (1,), (1, 256), (256,)]
  assert made(np.zeros([2, 6], np.float32)).shape == (2, 64, 64, 3)
