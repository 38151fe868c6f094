"""Whole runs on a tiny world."""

import functools
import json

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import (
  assert_same_run,
  checkpointed,
  hyper_parameters,
  skip_if_deadly,
  tiny_data,
  tiny_model,
)
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf import (
  evaluation,
  export,
  losses,
  metrics,
  scoring,
  training,
)
from disentangle_tf.commands.gin_record import changed_setting
from disentangle_tf.data import XYSquares, data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.output_files import sha256_tree
from disentangle_tf.training.folder_lock import folder_lock
from disentangle_tf.training.pending_scores import PendingScores

CONFIG = "training.train.steps = 12\nBETA = 0.5\n"


def _train(output_dir, **options):
  settings = {
    "model": tiny_model,
    "data": tiny_data(),
    "optimizer": functools.partial(keras.optimizers.Adam, 1e-3),
    "steps": 12,
    "batch_size": 16,
    "computing": training.Computing(deterministic=True),
    "watching": training.Watching(log_every=5, pictures_every=10),
    "saving": training.Saving(checkpoint_every=5),
    "description": _described(CONFIG),
  }
  return training.train(output_dir=output_dir, **{**settings, **options})


def _described(text, hyper_parameters=None):
  return training.RunDescription(
    lambda: text, "config.gin", changed_setting, hyper_parameters
  )


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


def test_pending_scores_of_a_run_that_has_taken_all_steps(tmp_path, monkeypatch):
  """Ctrl-C while it waits for its last scores; --resume computes and exports."""
  measurements = [scoring.Measurement(metrics.mig, num_points=200)]
  at_once, in_child = (
    training.Scoring(measurements, every=4, in_background=choice)
    for choice in (False, True)
  )
  _train(tmp_path / "undisturbed", scoring=at_once)

  def interrupted(self, *, most_left):
    if most_left == 0:
      raise KeyboardInterrupt
    return []

  with monkeypatch.context() as patched:
    patched.setattr(PendingScores, "finished", interrupted)
    with pytest.raises(KeyboardInterrupt):
      _train(tmp_path / "run", scoring=in_child)
  assert not (tmp_path / "run" / "export").exists()
  _train(tmp_path / "run", scoring=in_child, resume=True)
  assert_same_run(tmp_path / "run", tmp_path / "undisturbed")
  written = [tmp_path / name / "scores.jsonl" for name in ("run", "undisturbed")]
  assert written[0].read_text() == written[1].read_text()
  assert (tmp_path / "run" / "export").exists()


def test_scores_on_the_way_change_nothing_and_end_with_those_of_the_export(
  finished, tmp_path
):
  measurements = [scoring.Measurement(metrics.mig, num_points=200)]
  scores = training.Scoring(measurements, every=4)
  _train(tmp_path, scoring=scores)
  assert_same_run(tmp_path, finished)
  taken = [json.loads(line) for line in (tmp_path / "scores.jsonl").open()]
  assert [line["step"] for line in taken] == [4, 8, 12]
  scored = evaluation.evaluate(
    model=tmp_path / "export", measurements=measurements, output_dir=tmp_path / "scores"
  )
  assert taken[-1]["scores"] == pytest.approx(scored["scores"], abs=1e-6)
  events = event_accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
  logged = [
    (event.step, tf.make_ndarray(event.tensor_proto).item())
    for event in events.Reload().Tensors("scores/mig")
  ]
  assert [step for step, _ in logged] == [4, 8, 12]
  assert [value for _, value in logged] == pytest.approx(
    [line["scores"]["mig"] for line in taken], abs=1e-6
  )


def test_metrics_that_the_data_cannot_answer_are_told_before_the_first_step(tmp_path):
  scores = training.Scoring([scoring.Measurement(metrics.mig)])
  data = tiny_data()
  data.has_factors = False
  with pytest.raises(UserError, match="no ground-truth factors, so mig"):
    _train(tmp_path / "run", data=data, scoring=scores)
  assert not (tmp_path / "run").exists()


def test_weights_change_with_the_seed_and_with_nothing_that_is_only_watched(
  finished, tmp_path
):
  _train(
    tmp_path / "other",
    watching=training.Watching(log_every=1, pictures_every=3),
    saving=training.Saving(checkpoint_every=4),
  )
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
  _train(tmp_path, computing=training.Computing(jit_compile=True, deterministic=True))
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
  assert hyper_parameters(events)["learning_rate"] == 0.001


def test_distances_on_request(tmp_path):
  watching = training.Watching(distances=True, log_every=5, pictures_every=2)
  _train(tmp_path, watching=watching, steps=4)
  events = event_accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
  events.Reload()
  assert [event.step for event in events.Tensors("distances")][-2:] == [2, 4]
  assert "agreement/rank_factor_latent" in events.Tags()["tensors"]
  data = tiny_data()
  data.has_factors = False
  with pytest.raises(UserError, match=r"^Watching\.distances: .* has no whole grid"):
    _train(tmp_path / "b", watching=watching, data=data)
  assert not (tmp_path / "b").exists()


def test_graph_and_profile_on_request(tmp_path):
  watching = training.Watching(
    log_every=20, pictures_every=10, trace_graph=True, profile=True
  )
  _train(tmp_path, watching=watching, steps=20)
  assert list(tmp_path.glob("tensorboard/**/*.xplane.pb"))
  events = event_accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
  events.Reload()
  assert "training_steps" in str(events.Tags())


def test_a_run_too_short_for_a_profile_says_so(tmp_path, caplog):
  _train(tmp_path, watching=training.Watching(log_every=1, profile=True), steps=2)
  assert "too short to record a profile" in caplog.text
  assert not list(tmp_path.glob("tensorboard/**/*.xplane.pb"))


def test_averaged_weights_are_exported(tmp_path):
  def codes(name, steps, **averaging):
    optimizer = functools.partial(keras.optimizers.SGD, 0.5, **averaging)
    folder = _train(tmp_path / name, optimizer=optimizer, steps=steps)
    return export.ExportedModel(folder).encode(tiny_data().observe([[0, 1, 2, 3]]))[0]

  # At momentum 1 the average stays where it began, after the first step.
  averaged = codes("averaged", 3, use_ema=True, ema_momentum=1.0)
  np.testing.assert_allclose(averaged, codes("first", 1), atol=1e-6)
  assert np.abs(averaged - codes("last", 3)).max() > 1e-3


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
  with pytest.raises(UserError, match="resume.*overwrite"):
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
    _train(finished, resume=True, description=_described(CONFIG.replace("0.5", "7")))


def test_dry_run_prints_and_writes_nothing(tmp_path, caplog):
  caplog.set_level("INFO", "disentangle_tf")
  assert _train(tmp_path / "run", dry_run=True) is None
  assert "BETA = 0.5" in caplog.text
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

  with pytest.raises(UserError, match="'kl' is nan at step 8.*step 5 is intact"):
    _train(tmp_path, model=make)
  assert checkpointed(tmp_path)["step/.ATTRIBUTES/VARIABLE_VALUE"] == 5
  assert not (tmp_path / "export").exists()


def test_images_that_do_not_fit_the_network(tmp_path):
  with pytest.raises(UserError, match="takes images of shape"):
    _train(tmp_path / "run", data=tiny_data(num_squares=1))
  assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["steps", "batch_size"])
@pytest.mark.parametrize("value", [0, -3, 1.5, "ten"])
def test_counts_must_be_counts(tmp_path, name, value):
  with pytest.raises(UserError, match=name):
    _train(tmp_path / "run", **{name: value})


@pytest.mark.parametrize(
  ("name", "wanted"),
  [
    ("sampling", "Sampling"),
    ("computing", "Computing"),
    ("watching", "Watching"),
    ("saving", "Saving"),
    ("description", "RunDescription"),
  ],
)
def test_a_group_of_settings_is_of_its_class(tmp_path, name, wanted):
  message = rf"^train\.{name} is 7: it must be a {wanted} such as training\.{wanted}"
  with pytest.raises(UserError, match=message):
    _train(tmp_path / "run", **{name: 7})
  assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("jit_compile", [False, True])
def test_two_replicas_train_alike(
  jit_compile, finished, tmp_path, two_replicas, caplog
):
  caplog.set_level("INFO", "disentangle_tf")
  computing = training.Computing(strategy=two_replicas, jit_compile=jit_compile)
  _train(tmp_path / "run", computing=computing)
  assert_same_run(tmp_path / "run", finished, atol=1e-4)
  assert "Computing" not in caplog.text


def test_mixed_precision_ends_with_the_block(tmp_path):
  skip_if_deadly("mixed_float16")
  computing = training.Computing(precision="mixed_float16", deterministic=True)
  exported = _train(tmp_path, computing=computing)
  assert keras.config.dtype_policy().name == "float32"
  data = tiny_data()
  codes = export.ExportedModel(exported).encode(data.observe([[0, 0, 1, 1]]))[0]
  assert codes.dtype == np.float32 and np.isfinite(codes).all()


def test_fewer_steps_than_taken_are_refused_and_nothing_is_written(finished):
  before = sha256_tree(finished)
  fewer = CONFIG.replace("12", "7")
  with pytest.raises(UserError, match="trained for 12 steps already.*steps is 7"):
    _train(finished, steps=7, resume=True, description=_described(fewer))
  assert sha256_tree(finished) == before


def test_more_steps_keep_the_export_of_fewer(tmp_path):
  _train(tmp_path, steps=2)
  _train(tmp_path, steps=3, resume=True)
  (aside,) = tmp_path.glob("export.*")
  both = (aside, tmp_path / "export")
  assert [export.read_manifest(folder)["step"] for folder in both] == [2, 3]


def test_a_folder_in_use_is_neither_resumed_nor_moved(finished):
  before = sha256_tree(finished)
  with folder_lock(finished):
    for how in ("resume", "overwrite"):
      with pytest.raises(UserError, match="in use by process"):
        _train(finished, **{how: True})
  assert sha256_tree(finished) == before


def test_a_damaged_checkpoint_costs_the_steps_since_the_one_before(
  finished, tmp_path, caplog
):
  caplog.set_level("INFO", "disentangle_tf")
  _train(tmp_path, steps=7)
  (data,) = tmp_path.glob("checkpoints/ckpt-7.data*")
  data.write_bytes(data.read_bytes()[:100])
  _train(tmp_path, resume=True)
  assert "ckpt-7 is damaged" in caplog.text
  assert_same_run(tmp_path, finished)


def test_hyper_parameters_tell_runs_apart(tmp_path):
  def found(name, **options):
    folder = tmp_path / name
    _train(folder, steps=1, **options)
    events = event_accumulator.EventAccumulator(str(folder / "tensorboard"))
    in_manifest = export.read_manifest(folder / "export")["hyper_parameters"]
    assert hyper_parameters(events.Reload()) == in_manifest
    return in_manifest

  def blurred(alpha):
    loss = losses.Overlap(losses.MSE(), losses.box_kernel(1), alpha=alpha)
    return functools.partial(tiny_model, reconstruction=loss)

  given = {"ALPHA": 225, "UNITS": "(8,)", "RATE": 0.001, "jit": False}
  assert found("given", description=_described(CONFIG, lambda: given)) == given
  first, second = found("a", model=blurred(2.0)), found("b", model=blurred(3.0))
  different = {name for name in first if first[name] != second[name]}
  assert different == {"reconstruction.alpha"}
  assert first["reconstruction"] == "Overlap" and first["beta"] == 0.5
  assert first["encoder"].endswith(" weights") and first["image_size"] == 8
