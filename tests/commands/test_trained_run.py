import numpy as np
import pytest
from command_calls import ZIETLOW_SMALL, call

from disentangle_tf.commands import train
from disentangle_tf.commands.trained_run import run_data, run_model
from disentangle_tf.data import Spot
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel


@pytest.fixture(scope="module")
def run(tmp_path_factory):
  folder = tmp_path_factory.mktemp("run") / "run"
  settings = [
    "BETA=1.0",
    "STEPS=3",
    "UNITS=(4,)",
    "training.Computing.jit_compile=False",
  ]
  bindings = [word for each in settings for word in ("--gin_bindings", each)]
  words = [word for file in ZIETLOW_SMALL for word in ("--gin_file", file)]
  words += bindings
  assert call(train.main, *words, "--output_dir", folder) == 0
  return folder


def test_the_model_is_the_one_that_was_exported(run):
  images = Spot().observe(Spot().factors.to_factors(np.arange(5))).numpy()
  posterior = run_model(run).encode(images)
  means, log_variances = ExportedModel(run / "export").encode(images)
  np.testing.assert_allclose(posterior.mean(), means, atol=1e-5)
  np.testing.assert_allclose(2 * np.log(posterior.stddev()), log_variances, atol=1e-5)


def test_its_data(run):
  assert type(run_data(run)) is Spot


def test_folders_that_will_not_do(run, tmp_path):
  with pytest.raises(UserError, match=r"no run of bin/train.py: it has no config.gin"):
    run_model(tmp_path)
  (tmp_path / "config.gin").write_text((run / "config.gin").read_text())
  with pytest.raises(UserError, match=r'no checkpoints.*keep = "all"'):
    run_model(tmp_path)
