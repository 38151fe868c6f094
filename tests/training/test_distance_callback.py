import numpy as np
import pytest
from shared_checks import compiled, tiny_data, tiny_model
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf import metrics, models
from disentangle_tf.data import Batches
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.training import DistanceCallback
from disentangle_tf.training.distance_callback import _agreement


def _events(folder):
  events = event_accumulator.EventAccumulator(str(folder))
  events.Reload()
  return events


@pytest.mark.parametrize("cls", [models.BetaVAE, models.AE])
def test_fit_logs_distances(tmp_path, cls):
  model = compiled(tiny_model(cls))
  batches = Batches(tiny_data(), batch_size=8).dataset(0, 6)
  callback = DistanceCallback(tiny_data(), tmp_path)
  model.fit(
    batches,
    shuffle=False,
    epochs=2,
    steps_per_epoch=3,
    verbose=0,
    callbacks=[callback],
  )
  events = _events(tmp_path)
  names = {f"agreement/{name}" for name in metrics.distance_agreement([1], [1], [1])}
  assert set(events.Tags()["tensors"]) == {"distances", *names}
  assert [event.step for event in events.Tensors("distances")] == [3, 6]


class Perfect:
  """Codes that are the factors."""

  def encode(self, images):
    red, green = np.moveaxis(np.asarray(images), -1, 0)
    codes = [
      (channel.sum(axis=axis) @ np.arange(8.0)) for channel in (red, green)
      for axis in (1, 2)
    ]  # fmt: skip
    return np.stack(codes, axis=1), None


def test_codes_that_are_the_factors_agree_with_them():
  model = tiny_model()
  found = _agreement(
    Perfect(), tiny_data(), model.reconstruction, np.random.default_rng(0)
  )
  assert found["rank_factor_latent"] > 0.9
  assert found["rank_factor_perceived"] < 0.7
  random = _agreement(
    LiveModel(model), tiny_data(), model.reconstruction, np.random.default_rng(0)
  )
  assert random["rank_factor_latent"] < 0.7
