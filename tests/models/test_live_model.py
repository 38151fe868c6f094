"""What exports give too is in tests/test_askable_model.py."""

import numpy as np
import pytest
from shared_checks import compiled, tiny_data, tiny_model

from disentangle_tf import models
from disentangle_tf.data import Batches
from disentangle_tf.models.live_model import LiveModel

IMAGES = tiny_data().observe([[0, 1, 2, 3], [3, 2, 1, 0]]).numpy()


def test_it_is_asked_as_it_is_now():
  model = compiled(tiny_model())
  live = LiveModel(model)
  before = live.encode(IMAGES)[0]
  model.train_step(Batches(tiny_data(), batch_size=8).make(0))
  assert np.abs(live.encode(IMAGES)[0] - before).max() > 1e-4
  np.testing.assert_array_equal(live.encode(IMAGES)[0], model.encode(IMAGES).mean())


@pytest.mark.parametrize(("cls", "known"), [(models.BetaVAE, True), (models.AE, False)])
def test_deterministic_encoders_have_no_log_variances(cls, known):
  live = LiveModel(tiny_model(cls))
  assert live.has_log_variances is known
  assert (live.encode(IMAGES)[1] is not None) is known


def test_variances_that_vanish_have_a_logarithm():
  model = tiny_model()
  *others, kernel, bias = model.encoder.get_weights()  # of the log-variances
  model.encoder.set_weights([*others, 0 * kernel, 0 * bias - 300.0])
  _, log_variances = LiveModel(model).encode(IMAGES)
  np.testing.assert_allclose(log_variances, -87.34, atol=0.01)
