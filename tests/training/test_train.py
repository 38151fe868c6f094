"""The whole loop on a tiny world."""

import functools
import json

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import assert_same_run, checkpointed, tiny_data, tiny_model
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf import export, training
from disentangle_tf.data import XYSquares, data_to_config
from disentangle_tf.errors import UserError

CONFIG = "training.train.steps = 12\nBETA = 0.5\n"


def _train(output_dir, **options):
  settings = {
    "model": tiny_model,
    "data": tiny_data(),
    "optimizer": functools.partial(keras.optimizers.Adam, 1e-3),
    "steps": 12,
    "batch_size": 16,
    "log_every": 5,
    "pictures_every": 10,
    "checkpoint_every": 5,
    "deterministic": True,
    "describe": lambda: CONFIG,
  }
  return training.train(output_dir=output_dir, **{**settings, **options})


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
  """Folder of a run that was never stopped."""
  folder = tmp_path_factory.mktemp("finished") / "run"
  assert _train(folder) == folder / "export"
  return folder


def test_resuming_is_as_if_it_had_never_stopped(finished, tmp_path):
  _train(tmp_path, steps=7)
  _train(tmp_path, steps=12, resume=True)
  assert_same_run(tmp_path, finished)


def test_weights_change_with_the_seed_and_with_nothing_that_is_only_watched(
  finished, tmp_path
):
  _train(tmp_path / "other", log_every=1, pictures_every=3, checkpoint_every=4)
  assert_same_run(tmp_path / "other", finished)
  _train(tmp_path / "seed", seed=1)
  with pytest.raises(AssertionError):
    assert_same_run(tmp_path / "seed", finished)


class HostData(XYSquares):
  """The same images, through the host's pipeline."""

  renders_on_device = False


def test_host_pipeline_and_device_rendering_train_alike(finished, tmp_path):
  _train(tmp_path, data=HostData(**data_to_config(tiny_data())["arguments"]))
  assert_same_run(tmp_path, finished, atol=1e-6)


def test_xla_trains_alike(finished, tmp_path):
  _train(tmp_path, jit_compile=True)
  assert_same_run(tmp_path, finished, atol=1e-4)


def test_what_tensorboard_is_given(finished):
  events = event_accumulator.EventAccumulator(str(finished / "tensorboard"))
  events.Reload()
  tags = events.Tags()["tensors"]
  for tag in (
    "loss/loss",
    "loss/reconstruction",
    "loss/kl",
    "kl_per_latent/00",
    "kl_per_latent/02",
    "latents/active_units",
    "optimizer/learning_rate",
    "speed/images_per_second",
    "reconstructions",
    "latent_traversals_by_kl",
    "configuration",
  ):
    assert tag in tags
  scalars = {
    tag: [tf.make_ndarray(e.tensor_proto).item() for e in events.Tensors(tag)]
    for tag in tags
    if "/" in tag and not tag.startswith("_")
  }
  assert [event.step for event in events.Tensors("loss/loss")] == [5, 10, 12]
  np.testing.assert_allclose(
    scalars["loss/loss"],
    np.add(scalars["loss/reconstruction"], scalars["loss/kl"]),
    rtol=1e-5,
  )
  np.testing.assert_allclose(scalars["optimizer/learning_rate"], 1e-3)
  text = tf.make_ndarray(events.Tensors("configuration")[0].tensor_proto).item()
  assert "BETA = 0.5" in text.decode()
  assert any("hparams" in tag for tag in tags) or "hparams" in str(
    events.PluginTagToContent("hparams")
  )


def test_distances_on_request(tmp_path):
  _train(tmp_path, watch_distances=True, steps=4, pictures_every=2)
  events = event_accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
  events.Reload()
  assert [event.step for event in events.Tensors("distances")][-2:] == [2, 4]
  assert "agreement/rank_factor_latent" in events.Tags()["tensors"]
  data = tiny_data()
  data.labelled = False
  with pytest.raises(UserError, match="watch_distances"):
    _train(tmp_path / "b", watch_distances=True, data=data)


def test_graph_and_profile_on_request(tmp_path):
  _train(tmp_path, trace_graph=True, profile=True, steps=20, log_every=20)
  assert list(tmp_path.glob("tensorboard/**/*.xplane.pb"))
  events = event_accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
  events.Reload()
  assert "training_steps" in str(events.Tags())


def test_the_export_describes_the_run(finished):
  manifest = json.loads((finished / "export" / "manifest.json").read_text())
  assert manifest["step"] == 12
  assert manifest["config"] == CONFIG
  assert (finished / "config.gin").read_text() == CONFIG
  assert manifest["data"]["class"] == "XYSquares"


def test_a_finished_run_is_left_alone(finished):
  before = (finished / "export" / "manifest.json").stat().st_mtime_ns
  assert _train(finished, resume=True) == finished / "export"
  assert (finished / "export" / "manifest.json").stat().st_mtime_ns == before


def test_an_existing_folder_is_kept(finished, tmp_path):
  with pytest.raises(UserError, match="--resume.*--overwrite"):
    _train(finished)
  folder = tmp_path / "run"
  folder.mkdir()
  (folder / "precious.txt").write_text("x")
  _train(folder, steps=1, overwrite=True)
  (aside,) = tmp_path.glob("run.*")
  assert (aside / "precious.txt").read_text() == "x"
  assert not (folder / "precious.txt").exists()


def test_resuming_with_another_configuration_is_refused(finished):
  with pytest.raises(UserError, match="BETA = 0.5|BETA = 7"):
    _train(finished, resume=True, describe=lambda: CONFIG.replace("0.5", "7"))


def test_dry_run_prints_and_writes_nothing(tmp_path, capsys):
  assert _train(tmp_path / "run", dry_run=True) is None
  assert "BETA = 0.5" in capsys.readouterr().out
  assert not (tmp_path / "run").exists()


def test_a_loss_that_is_not_finite_names_term_and_step(tmp_path):
  class Exploding(type(tiny_model())):
    def regularisation(self, posterior, codes, seed):
      terms = super().regularisation(posterior, codes, seed)
      bad = self.optimizer.iterations >= 7
      return {"kl": tf.where(bad, np.nan, terms["kl"])}

  def make():
    plain = tiny_model()
    return Exploding(plain.encoder, plain.decoder, plain.reconstruction, beta=1.0)

  with pytest.raises(UserError, match="'kl' is nan at step 8.*step 5 is good"):
    _train(tmp_path, model=make)
  assert checkpointed(tmp_path)["step/.ATTRIBUTES/VARIABLE_VALUE"] == 5
  assert not (tmp_path / "export").exists()


def test_images_that_do_not_fit_the_network(tmp_path):
  with pytest.raises(UserError, match="takes images of shape"):
    _train(tmp_path / "run", data=tiny_data(num_squares=1))
  assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
  "name", ["steps", "batch_size", "log_every", "checkpoint_every"]
)
@pytest.mark.parametrize("value", [0, -3, 1.5, "ten"])
def test_counts_must_be_counts(tmp_path, name, value):
  with pytest.raises(UserError, match=name):
    _train(tmp_path / "run", **{name: value})


def test_an_unknown_precision(tmp_path):
  with pytest.raises(UserError, match="precision"):
    _train(tmp_path / "run", precision="half")


def test_mixed_precision_ends_with_the_block(tmp_path):
  exported = _train(tmp_path, precision="mixed_float16")
  assert keras.config.dtype_policy().name == "float32"
  data = tiny_data()
  codes = export.ExportedModel(exported).encode(data.observe([[0, 0, 1, 1]]))
  assert codes.dtype == np.float32 and np.isfinite(codes).all()
