import gin
import numpy as np
import pytest
from command_calls import ZIETLOW_SMALL, call

from disentangle_tf import losses
from disentangle_tf.commands import train
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_record import (
  changed_setting,
  run_data,
  run_model,
  used_settings,
)
from disentangle_tf.data import Spot
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel


def test_what_is_bound_and_was_used_as_plain_values():
  read_configuration(["gin/losses/overlap.gin"], ["losses.box_kernel.radius=2"])
  assert used_settings() == {}
  gin.get_configurable(losses.box_kernel)()
  assert used_settings() == {"losses.box_kernel.radius": 2}
  gin.query_parameter("LOSS/gin.macro.value").scoped_configurable_fn()
  used = used_settings()
  assert used["losses.Overlap.loss"] == "@losses.MSE()"
  assert used["losses.Overlap.kernel"] == "@losses.box_kernel()"
  assert used["ALPHA"] == "None"  # as written; the kernel decides
  assert "losses.Overlap.alpha" not in used  # the macro itself is there


TEXT = """\
from disentangle_tf import data

# Macros:
# ==============================================================================
BETA = 0.5
STEPS = 100

# Parameters for training.train:
# ==============================================================================
training.train.steps = %STEPS
training.Watching.log_every = 100
networks.mlp_encoder.units = \\
    (256, 256)
"""


def test_line_breaks_do_not_matter():
  assert changed_setting(TEXT, TEXT) is None
  assert changed_setting(TEXT, TEXT.replace("= \\\n    (", "= (")) is None
  assert changed_setting(TEXT, TEXT.replace("# Macros:", "# Nothing:")) is None


def test_imports_may_differ():
  """A configuration imports only what the command line names, which it may change."""
  imports = "from disentangle_tf import adversary\nimport keras\n"
  assert changed_setting(TEXT, imports + TEXT) is None
  assert changed_setting(imports + TEXT, TEXT) is None


@pytest.mark.parametrize("steps", ["STEPS = 100", "training.train.steps = %STEPS"])
def test_the_number_of_steps_may_change(steps):
  name = steps.partition(" =")[0]
  assert changed_setting(TEXT, TEXT.replace(steps, f"{name} = 200")) is None


@pytest.mark.parametrize(
  ("old", "new", "told"),
  [
    ("BETA = 0.5", "BETA = 0.7", "BETA = 0.5"),
    ("BETA = 0.5\n", "", "BETA = 0.5"),
    ("log_every = 100", "log_every = 20", "training.Watching.log_every = 100"),
    ("(256, 256)", "(256, 8)", "networks.mlp_encoder.units = (256, 256)"),
  ],
)
def test_any_other_setting_may_not(old, new, told):
  assert changed_setting(TEXT, TEXT.replace(old, new)) == told


SCHEDULED = f"""\
{TEXT}
LENGTH = %STEPS
schedules.Linear.steps = %LENGTH
"""


@pytest.mark.parametrize(
  ("text", "name"),
  [
    (SCHEDULED, "schedules.Linear.steps"),
    (f"{TEXT}\nlate/schedules.Switch.steps = %STEPS\n", "late/schedules.Switch.steps"),
    (f"{TEXT}\nmine.rates.ends = (10, %STEPS)\n", "mine.rates.ends"),
  ],
)
def test_a_schedule_keeps_its_length(text, name):
  assert changed_setting(text, text) is None
  longer = text.replace("STEPS = 100", "STEPS = 200")
  with pytest.raises(UserError, match=f"^{name} depends on STEPS") as error:
    changed_setting(text, longer)
  assert "STEPS=100 and training.train.steps=200" in str(error.value)
  alone = text.replace("train.steps = %STEPS", "train.steps = 200")
  assert changed_setting(text, alone) is None


def test_any_other_change_is_reported_first():
  other = SCHEDULED.replace("STEPS = 100", "STEPS = 200").replace("0.5", "0.7")
  assert changed_setting(SCHEDULED, other) == "BETA = 0.5"


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


def test_folders_without_a_run_or_checkpoints(run, tmp_path):
  with pytest.raises(
    UserError, match=r"not a run of bin/train.py: it has no config.gin"
  ):
    run_model(tmp_path)
  (tmp_path / "config.gin").write_text((run / "config.gin").read_text())
  with pytest.raises(UserError, match=r'no checkpoints.*keep = "all"'):
    run_model(tmp_path)
