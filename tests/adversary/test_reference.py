import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_model

from disentangle_tf.adversary import Reference
from disentangle_tf.data import NoisyDSprites
from disentangle_tf.errors import UserError


def test_posteriors_are_those_of_the_original_images():
  model, data = tiny_model(), tiny_data()
  reference = Reference.of_model(model, data, batch_size=7)
  factors = data.factors.to_factors(np.arange(len(data)))
  posterior = model.encode(data.observe(factors))
  np.testing.assert_allclose(reference.means, posterior.mean(), atol=1e-6)
  np.testing.assert_allclose(reference.scales, posterior.stddev(), atol=1e-6)
  codes = reference.draw([3, 5], tf.constant([[[2.0, 0, 0], [0, 0, -1.0]]]))
  expected = reference.means[[3, 5]] + reference.scales[[3, 5]] * [
    [2, 0, 0],
    [0, 0, -1],
  ]
  np.testing.assert_allclose(codes[0], expected, atol=1e-6)


def test_the_loss_is_a_sum_over_pixels_of_standardised_images():
  model, data = tiny_model(), tiny_data()
  reference = Reference.of_model(model, data)
  images = data.observe(data.factors.to_factors(np.arange(4)))
  codes = tf.random.stateless_normal([3, 4, 3], (0, 1))
  mean, std = (np.array(values) for values in data.standardisation())
  decoded = model.decoder(tf.reshape(codes, [12, 3])).numpy()
  targets = np.tile((images.numpy() - mean) / std, (3, 1, 1, 1))
  expected = ((decoded - targets) ** 2).sum(axis=(1, 2, 3)).mean()
  found = reference.reconstruction_loss(images, codes)
  assert float(found) == pytest.approx(expected, rel=1e-5)


def test_images_that_change_each_time_have_no_posterior():
  with pytest.raises(UserError, match="needs one image per point"):
    Reference.of_model(tiny_model(), NoisyDSprites(image_size=8, sizes=(1, 1, 1, 2, 2)))
