"""The loss of an export sees the distances that the trained one saw."""

import json

import gin
import keras
import numpy as np
import pytest
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models, networks, priors, schedules, supervision
from disentangle_tf.commands.gin_configuration import read_configuration, shipped
from disentangle_tf.errors import UserError
from disentangle_tf.export import (
  loss_of_distances,
  read_manifest,
  reconstruction_loss_of,
  write_export,
)
from disentangle_tf.export.model_description import model_to_config, told_parts

IMAGES = np.random.default_rng(0).random((2, 4, 16, 16, 2), np.float32)


def _manifest(loss):
  """As it is read from a file."""
  model = model_to_config(tiny_model(models.VAE, loss))
  return json.loads(json.dumps({"contract_version": 2, "model": model}))


WITH_A_NETWORK = "features"  # a manifest names this loss, but cannot hold its network


@pytest.mark.parametrize("name", sorted({*shipped("losses")} - {WITH_A_NETWORK}))
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


STANDARDISATION = np.asarray(tiny_data().standardisation()).tolist()


def _told(model):
  config = model_to_config(model)
  assert json.loads(json.dumps(config, allow_nan=False)) == config
  return config


def test_a_model_is_told_by_its_class_and_plain_arguments():
  assert _told(tiny_model(models.BetaVAE, beta=0.25, reduction="sum")) == {
    "class": "BetaVAE",
    "arguments": {
      "reconstruction": {"class": "MSE", "arguments": {}},
      "reduction": "sum",
      "standardisation": STANDARDISATION,
      "supervision": None,
      "prior": {"class": "IsotropicNormal", "arguments": {}},
      "beta": 0.25,
    },
  }


def test_other_parts_are_told_by_their_arguments_and_networks_not_at_all():
  model = tiny_model(
    models.FactorVAE,
    gamma=schedules.Linear(0.0, 10.0, steps=100),
    discriminator=networks.mlp_discriminator(3, units=(4,)),
    supervision=supervision.L2(2.0, [4, 4]),
  )
  told = _told(model)["arguments"]
  linear = {"first": 0.0, "last": 10.0, "steps": 100}
  assert told["gamma"] == {"class": "Linear", "arguments": linear}
  assert told["supervision"]["class"] == "L2"
  assert told["supervision"]["arguments"]["factor_sizes"] == [4, 4]
  assert told["discriminator_optimizer"]["arguments"] is None
  assert told["discriminator_optimizer"]["class"].endswith("Adam")
  assert not {"encoder", "decoder", "discriminator", "name"} & set(told)


def test_a_divergence_of_codes_is_told():
  model = tiny_model(
    models.DecompositionVAE, alpha=1.0, beta=0.5, aggregate_divergence=losses.MMD()
  )
  told = _told(model)["arguments"]
  assert (told["alpha"], told["beta"]) == (1.0, 0.5)
  scales = {"scales": [0.1, 0.2, 0.5, 1.0, 2.0, 5.0], "per_latent": False}
  assert told["aggregate_divergence"] == {"class": "MMD", "arguments": scales}


def test_what_was_learned_is_told():
  model = tiny_model(
    models.VAE,
    losses.Overlap(losses.Normal(), losses.box_kernel(1)),
    prior=priors.AnisotropicNormal([1.0, 1.0, 1.0], learned=True),
  )
  model.reconstruction.loss.log_scale.assign(np.log(0.7))
  model.prior.variables[0].assign(np.log([3.0, 2.0, 1.0]).astype(np.float32))
  told = _told(model)["arguments"]
  inner = told["reconstruction"]["arguments"]["loss"]["arguments"]
  assert inner == {"scale": pytest.approx(0.7), "learned": False}
  assert told["prior"]["arguments"]["scales"] == pytest.approx([1.5, 1.0, 0.5])


class Mine(models.BetaVAE):
  def __init__(self, *args, table, secret, **shared):
    super().__init__(*args, **shared)
    self.table, self.secret = table, secret


def test_a_model_of_somebody_elses_tells_its_loss_too():
  model = tiny_model(
    Mine, losses.MAE(), beta=np.float32(2.0), table=np.eye(2), secret=object()
  )
  told = _told(model)
  assert told["class"].endswith("test_model_description.Mine")
  assert told["arguments"]["reconstruction"] == {"class": "MAE", "arguments": {}}
  assert told["arguments"]["beta"] == 2.0
  assert told["arguments"]["table"] == [[1.0, 0.0], [0.0, 1.0]]
  assert told["arguments"]["secret"] == {"class": "builtins.object", "arguments": None}


def test_what_is_long_is_left_out():
  model = tiny_model(Mine, beta=1.0, table=np.zeros((40, 40)), secret="x" * 1_000)
  told = _told(model)["arguments"]
  assert told["table"]["arguments"] is None and told["secret"]["arguments"] is None


def test_parts_of_both_versions(golden_folder, exported):
  old = told_parts(read_manifest(golden_folder / "exports" / "version_1"))
  assert set(old) == {"reconstruction", "prior", "standardisation"}
  assert old["reconstruction"]["class"] == "Normal"
  assert old["reconstruction"]["arguments"]["scale"] == pytest.approx(0.7)
  assert old["prior"]["arguments"]["scales"] == pytest.approx([1.5, 1.0, 0.5])
  new = told_parts(read_manifest(exported[0]))
  assert new == {
    "reconstruction": {"class": "MSE", "arguments": {}},
    "prior": {"class": "IsotropicNormal", "arguments": {}},
    "standardisation": STANDARDISATION,
  }


def test_what_is_not_told_and_what_a_model_does_not_have():
  for manifest in (
    {},
    {"contract_version": 1},
    {"contract_version": 1, "generative_model": None},
    {"contract_version": 2, "model": None},
    {"contract_version": 2, "model": {"class": "BetaVAE", "arguments": None}},
  ):
    assert told_parts(manifest) == {}
  keras.utils.set_random_seed(0)
  pcl = models.PCL(tiny_networks()[0], latents=3)
  manifest = {"contract_version": 2, "model": _told(pcl)}
  parts = told_parts(manifest)
  assert parts == dict.fromkeys(("reconstruction", "prior", "standardisation"))
