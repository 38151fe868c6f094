import numpy as np
from shared_checks import tiny_data, tiny_model

from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.pictures import reconstructions


def test_images_are_above_what_the_model_gives_back():
  model = tiny_model()
  images = tiny_data().observe([[0, 1, 2, 3], [3, 2, 1, 0]]).numpy()
  rows = reconstructions(LiveModel(model), images)
  np.testing.assert_array_equal(rows[0], images)
  np.testing.assert_array_equal(rows[1], model.reconstruct(images))
