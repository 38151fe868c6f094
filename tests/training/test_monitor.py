import numpy as np
import pytest
import tensorflow as tf
from shared_checks import compiled, hyper_parameters, tiny_data, tiny_model
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf import metrics, models
from disentangle_tf.data import Batches
from disentangle_tf.models.live_model import LiveModel
from disentangle_tf.random_streams import stream_seed
from disentangle_tf.training import DistanceCallback
from disentangle_tf.training.monitor import Monitor, _agreement


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


SEED = 3


def _monitored(folder, cls=models.BetaVAE):
  model = compiled(tiny_model(cls))
  return model, Monitor(model, tiny_data(), folder, seed=SEED)


def _monitor_events(folder):
  events = event_accumulator.EventAccumulator(str(folder))
  return events.Reload()


def _scalar(events, tag):
  (event,) = events.Tensors(tag)
  return tf.make_ndarray(event.tensor_proto).item()


def _watched_posterior(model):
  """Of the fixed sample that the monitor looks at, drawn from the run's seed."""
  rng = np.random.default_rng(stream_seed(SEED, "monitor").numpy())
  return model.encode(tiny_data().observe(tiny_data().factors.draw(256, rng)))


def test_scalars_are_those_of_the_closed_forms(tmp_path):
  model, monitor = _monitored(tmp_path)
  with monitor:
    monitor.scalars(7, {"loss": 3.0, "kl": 1.0}, images_per_second=100.0)
  events = _monitor_events(tmp_path)
  assert [event.step for event in events.Tensors("loss/loss")] == [7]
  assert _scalar(events, "loss/loss") == 3 and _scalar(events, "loss/kl") == 1
  assert _scalar(events, "speed/images_per_second") == 100
  assert _scalar(events, "optimizer/learning_rate") == pytest.approx(1e-3)
  posterior = _watched_posterior(model)
  mean, variance = posterior.mean().numpy(), posterior.variance().numpy()
  kl = (0.5 * (mean**2 + variance - 1 - np.log(variance))).mean(axis=0)
  shown = [_scalar(events, f"kl_per_latent/{latent:02d}") for latent in range(3)]
  np.testing.assert_allclose(shown, kl, rtol=1e-4)
  assert _scalar(events, "latents/kl") == pytest.approx(kl.sum(), rel=1e-4)
  active = (mean.var(axis=0) > 0.01).sum()
  assert _scalar(events, "latents/active_units") == active


def test_without_a_prior_there_is_no_divergence(tmp_path):
  _, monitor = _monitored(tmp_path, models.AE)
  with monitor:
    monitor.scalars(1, {"loss": 3.0}, images_per_second=1.0)
    monitor.pictures(1)
  tags = _monitor_events(tmp_path).Tags()["tensors"]
  assert "latents/kl" not in tags and "kl_per_latent/00" not in tags
  assert "latents/active_units" in tags and "reconstructions" in tags


def test_settings(tmp_path):
  _, monitor = _monitored(tmp_path)
  with monitor:
    monitor.settings("beta: 4\nlatents: 9", {"beta": 4.0, "fast": True})
  events = _monitor_events(tmp_path)
  (event,) = events.Tensors("configuration")
  text = tf.make_ndarray(event.tensor_proto).item().decode()
  assert text == "    beta: 4\n    latents: 9"  # as code, in Markdown
  assert hyper_parameters(events) == {"beta": 4.0, "fast": True}


def test_a_worker_that_does_not_write(tmp_path, monkeypatch):
  monkeypatch.chdir(tmp_path)
  _, monitor = _monitored(None)
  with monitor:
    monitor.scalars(1, {"loss": 3.0}, images_per_second=1.0)
    monitor.pictures(1)
  assert not list(tmp_path.iterdir())


def test_a_recorded_run_gives_what_it_gives(tmp_path):
  _, monitor = _monitored(tmp_path)
  doubled = tf.function(lambda value: 2 * value)
  with monitor:
    recorded = monitor.recording(doubled, graph=True, profile=True)
    assert [int(recorded(tf.constant(i))) for i in range(5)] == [0, 2, 4, 6, 8]
  assert list(tmp_path.glob("**/*.xplane.pb"))
  assert "training_steps" in str(_monitor_events(tmp_path).Tags())


def test_a_profile_that_never_was_is_told(tmp_path, caplog):
  _, monitor = _monitored(tmp_path)
  with monitor:
    monitor.recording(int, graph=False, profile=True)(1)
  assert "too short to record a profile" in caplog.text
