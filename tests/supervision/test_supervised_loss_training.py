"""Supervised losses in a model and in a configured run."""

import gin
import keras
import numpy as np
import pytest
from command_calls import RUN_FILES
from shared_checks import compiled, tiny_data, tiny_model

from disentangle_tf import losses, models, networks, supervision, training
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_files import shipped
from disentangle_tf.data import Batches, LabelledSet, partial_labels
from disentangle_tf.errors import UserError

SETTINGS = (
  "BETA = 1.0",
  "LATENTS = 4",
  "STEPS = 1",
  "UNITS = (4,)",
  "GAMMA_SUP = 2.0",
  "models.BetaVAE.supervision = %SUPERVISION",
)
LOSSES = [name for name in shipped("supervision") if name != "labelled"]


def test_labels_teach_the_first_latents():
  data = tiny_data(num_squares=1)
  labelled = LabelledSet(data, num_labelled=16)
  batches = Batches(data, batch_size=32, labelled_set=labelled)
  loss = supervision.CrossEntropy(100.0, labelled.factor_sizes)
  keras.utils.set_random_seed(0)
  model = compiled(_of_one_square(data, loss), keras.optimizers.Adam(0.01))
  model.check_batch(batches.make(0))
  history = model.fit(batches.dataset(0, 100), verbose=0, shuffle=False).history
  assert "supervised" in history
  codes = model.encode(data.observe(labelled.factors)).mean().numpy()
  correlation = np.corrcoef(codes.T, labelled.factors.T)[: codes.shape[1], -2:]
  assert correlation[0, 0] > 0.9 and correlation[1, 1] > 0.9


def test_a_learned_scale_is_learned_and_kept(tmp_path):
  labelled = LabelledSet(
    tiny_data(),
    num_labelled=16,
    labeller=lambda *args: partial_labels(*args, num_observed_factors=3),
  )
  loss = supervision.L2(1.0, labelled.factor_sizes)
  model = compiled(tiny_model(supervision=loss))
  model.train_step(Batches(tiny_data(), batch_size=8, labelled_set=labelled).make(0))
  assert float(loss.scale) != 1
  model.save(tmp_path / "model.keras")
  loaded = keras.models.load_model(tmp_path / "model.keras")
  np.testing.assert_array_equal(loaded.supervision.scale, loss.scale)


def test_batches_without_labels_or_with_too_many_are_refused():
  loss = supervision.L2(1.0, tiny_data().factors.sizes)
  model = tiny_model(supervision=loss)
  with pytest.raises(UserError, match="no labels"):
    model.check_batch(Batches(tiny_data(), batch_size=8).make(0))
  labelled = LabelledSet(tiny_data(), num_labelled=4)
  with pytest.raises(UserError, match="latent for each of the 4 labels.*has 3"):
    model.check_batch(Batches(tiny_data(), batch_size=8, labelled_set=labelled).make(0))


@pytest.mark.parametrize("name", LOSSES)
def test_every_gin_file_builds_within_a_run(name):
  read_configuration([*RUN_FILES, f"gin/supervision/{name}.gin"], SETTINGS)
  gin.get_configurable(training.train)(output_dir=None, dry_run=True)
  bound = gin.get_bindings("training.train")
  labelled_set = bound["sampling"].labelled_set
  loss = bound["model"]().supervision
  assert isinstance(loss, supervision.SupervisedLoss)
  assert loss.gamma_sup == 2
  assert loss.factor_sizes == labelled_set.factor_sizes == (8, 8, 8, 8)
  assert labelled_set.num_labelled == 1000


def test_labellers_are_configured_by_name():
  labeller = "data.LabelledSet.labeller = @data.partial_labels"
  observed = "data.partial_labels.num_observed_factors = 3"
  read_configuration(
    [*RUN_FILES, "gin/supervision/l2.gin"], [*SETTINGS, labeller, observed]
  )
  gin.get_configurable(training.train)(output_dir=None, dry_run=True)
  bound = gin.get_bindings("training.train")
  assert bound["sampling"].labelled_set.labels.shape == (1000, 3)
  assert bound["model"]().supervision.factor_sizes == (8, 8, 8)


def _of_one_square(data, loss):
  shape = data.observation_shape
  return models.BetaVAE(
    networks.mlp_encoder(shape, latents=3, units=(16,)),
    networks.mlp_decoder(shape, latents=3, units=(16,)),
    losses.MSE(),
    beta=0.01,
    standardisation=data.standardisation(),
    supervision=loss,
  )
