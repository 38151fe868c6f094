"""Whole runs of the adversary on a tiny world."""

import functools
import json

import keras
import numpy as np
import pytest
from shared_checks import checkpointed, tiny_data, tiny_networks

from disentangle_tf import losses, models, training
from disentangle_tf.adversary import Reference, manipulate, mlp_manipulation
from disentangle_tf.data import Manipulated
from disentangle_tf.errors import UserError
from disentangle_tf.training.folder_lock import folder_lock


def _references(worse=1.0):
  """(an entangled, a disentangled one), the same each time; untrained both."""
  keras.utils.set_random_seed(0)
  made = [
    models.BetaVAE(*tiny_networks(), losses.MSE(), beta=1.0, reduction="sum")
    for _ in range(2)
  ]
  made[0].decoder.set_weights([worse * w for w in made[0].decoder.get_weights()])
  return [Reference.of_model(model, tiny_data(), name) for model, name in zip(
    made, ("entangled/seed_0", "disentangled/seed_1"), strict=True
  )]  # fmt: skip


def _manipulate(output_dir, *, worse=1.0, **options):
  entangled, disentangled = _references(worse)
  settings = {
    "data": tiny_data(),
    "entangled": [entangled],
    "disentangled": [disentangled],
    "manipulation": functools.partial(mlp_manipulation, units=(8,)),
    "optimizer": functools.partial(keras.optimizers.Adam, 1e-2),
    "decoder_optimizer": functools.partial(keras.optimizers.Adam, 1e-2),
    "epsilon": 0.1,
    "steps": 8,
    "batch_size": 4,
    "watching": training.Watching(log_every=4, pictures_every=8),
    "saving": training.Saving(checkpoint_every=4),
    "description": training.RunDescription(lambda: "settings", "config.gin"),
  }
  return manipulate(output_dir=output_dir, **{**settings, **options})


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
  folder = tmp_path_factory.mktemp("adversary") / "run"
  assert _manipulate(folder) == folder / "set"
  return folder


def test_the_set_is_there_and_says_what_made_it(finished):
  data = Manipulated.from_folder(finished / "set")
  factors = data.factors.to_factors(np.arange(len(data)))
  change = data.observe(factors).numpy() - tiny_data().observe(factors).numpy()
  assert 0 < np.abs(change).max() <= 0.1
  manifest = json.loads((finished / "set" / "manifest.json").read_text())
  assert manifest["references"] == {
    "entangled": [{"run": "entangled/seed_0"}],
    "disentangled": [{"run": "disentangled/seed_1"}],
  }
  assert manifest["step"] == 8 and manifest["configuration"] == "settings"
  assert set(manifest["squared_errors"]) == {"entangled", "disentangled"}


def test_resuming_is_as_if_it_had_never_stopped(finished, tmp_path):
  _manipulate(tmp_path, steps=4)
  _manipulate(tmp_path, steps=8, resume=True)
  ours, theirs = checkpointed(tmp_path), checkpointed(finished)
  assert ours.keys() == theirs.keys()
  # Two layers of two decoders, with their biases.
  assert any("decoder_optimizer/_trainable_variables/7/" in name for name in ours)
  for name in ours:
    np.testing.assert_allclose(ours[name], theirs[name], atol=1e-6)
  for name in ("place.npy", "curve.npy"):
    np.testing.assert_array_equal(
      np.load(tmp_path / "set" / name), np.load(finished / "set" / name)
    )


def test_fewer_steps_than_were_taken_are_refused(finished):
  before = (finished / "set" / "manifest.json").read_text()
  with pytest.raises(UserError, match="for 8 steps already and manipulate.steps is 4"):
    _manipulate(finished, steps=4, resume=True)
  assert (finished / "set" / "manifest.json").read_text() == before


@pytest.mark.parametrize("name", ["distances", "trace_graph", "profile"])
def test_what_only_training_shows_is_refused(tmp_path, name):
  with pytest.raises(UserError, match=f"Watching.{name} .* leave it out"):
    _manipulate(tmp_path / "run", watching=training.Watching(**{name: True}))
  assert not (tmp_path / "run").exists()


def test_several_replicas_are_refused(two_replicas):
  needed = ("data", "entangled", "disentangled", "manipulation", "optimizer")
  needed += ("decoder_optimizer", "epsilon", "output_dir")
  with two_replicas.scope(), pytest.raises(UserError, match="trains on one replica"):
    manipulate(**dict.fromkeys(needed), steps=1)


def test_references_that_do_not_compare(tmp_path):
  with pytest.raises(UserError, match="more than 10 % above, they do not compare"):
    _manipulate(tmp_path / "run", worse=20.0)
  assert not (tmp_path / "run").exists()


def test_a_folder_in_use_is_left_alone(finished):
  with pytest.raises(UserError, match="run"):
    _manipulate(finished)
  with folder_lock(finished), pytest.raises(UserError, match="is in use by process"):
    _manipulate(finished, overwrite=True)
  assert (finished / "set").exists()
