"""The loss of an export sees the distances that the trained one saw."""

import json

import gin
import numpy as np
import pytest
from shared_checks import tiny_data, tiny_model

from disentangle_tf import losses, models
from disentangle_tf.commands.gin_configuration import read_configuration, shipped
from disentangle_tf.errors import UserError
from disentangle_tf.export import (
  loss_of_distances,
  read_manifest,
  reconstruction_loss_of,
  write_export,
)
from disentangle_tf.export.model_description import model_to_config

IMAGES = np.random.default_rng(0).random((2, 4, 16, 16, 2), np.float32)


def _manifest(loss):
  """As it is read from a file."""
  model = model_to_config(tiny_model(models.VAE, loss))
  return json.loads(json.dumps({"contract_version": 2, "model": model}))


@pytest.mark.parametrize("name", shipped("losses"))
def test_every_loss_of_gin_is_read_back(name):
  files = ["gin/data/xysquares_small.gin", f"gin/losses/{name}.gin"]
  small = ["perceived.learned_kernel.steps=2", "perceived.learned_kernel.radius=3"]
  few = small if name == "overlap_learned" else []
  read_configuration(files, few, implied={"perceived.perceive.loss": "LOSS"})
  loss = gin.get_bindings("perceived.perceive")["loss"]
  again = reconstruction_loss_of(_manifest(loss))
  assert type(again) is type(loss)
  expected = loss.distance(*IMAGES)
  np.testing.assert_allclose(again.distance(*IMAGES), expected, rtol=1e-6, atol=1e-6)
  if isinstance(loss, losses.Overlap):
    assert loss.get_config()["alpha"] is None
    assert again.alpha == pytest.approx(1 / np.sum(loss.kernel**2))


def test_of_an_export(tmp_path):
  loss = losses.Overlap(losses.MSE(), losses.box_kernel(2))
  write_export(tiny_model(models.VAE, loss), tmp_path / "export", data=tiny_data())
  manifest = read_manifest(tmp_path / "export")
  again = loss_of_distances(manifest, path="mine")
  assert isinstance(again, losses.Overlap) and again.alpha == 25
  np.testing.assert_allclose(
    again.distance(*IMAGES), loss.distance(*IMAGES), rtol=1e-6, atol=1e-6
  )


def test_of_version_1(golden_folder, caplog):
  manifest = read_manifest(golden_folder / "exports" / "version_1")
  loss = reconstruction_loss_of(manifest)
  assert isinstance(loss, losses.Normal) and loss.scale == pytest.approx(0.7)
  # Version 1 recorded only the name of a loss that is not a likelihood.
  manifest["generative_model"]["likelihood"] = {"class": "MAE", "arguments": None}
  assert isinstance(loss_of_distances(manifest, path="old"), losses.MSE)
  assert caplog.messages == [
    "old: distances are those of MSE: the manifest names the loss MAE but not its "
    "settings"
  ]


NOT_RECORDED = {
  "no manifest": ({}, "does not record the loss"),
  "no model": ({"contract_version": 2}, "does not record the loss"),
  "no loss": (
    {"contract_version": 2, "model": {"class": "PCL", "arguments": {}}},
    "the model has no loss",
  ),
  "no finite number": (
    _manifest(losses.Normal(scale=1e-30, learned=False)),
    "gives no finite numbers",
  ),
  "a kernel without bounds": (
    _manifest(losses.Overlap(losses.MSE(), np.full((3, 3), 1e29), alpha=1.0)),
    "gives no finite numbers",
  ),
}


@pytest.mark.parametrize("case", NOT_RECORDED)
def test_why_there_is_none(case, caplog):
  manifest, reason = NOT_RECORDED[case]
  with pytest.raises(UserError, match=reason):
    reconstruction_loss_of(manifest)
  assert isinstance(loss_of_distances(manifest, path="a\x1b[2J"), losses.MSE)
  (line,) = caplog.messages
  assert line.isprintable() and reason in line


def test_loss_of_distances_says_nothing_of_a_loss_that_is_told(capsys):
  assert isinstance(loss_of_distances(_manifest(losses.MAE()), path="x"), losses.MAE)
  assert capsys.readouterr().out == ""
