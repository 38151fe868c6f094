import pytest
from absl import flags
from command_calls import QUICK, RUN_FILES, binding_flags, call

from disentangle_tf import models
from disentangle_tf.commands import train
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.commands.gin_errors import (
  PACKAGES,
  explain,
  explain_parsing,
  resolve,
)
from disentangle_tf.errors import UserError


def test_only_mistakes_of_the_user_are_explained():
  assert explain(UserError("beta is -1:\n  set it higher")) == (
    "beta is -1:; set it higher"
  )
  assert explain(flags.UnrecognizedFlagError("stepz")).startswith(
    "Unknown command line"
  )
  assert explain(ValueError("a bug")) is None
  assert explain(KeyError("x")) is None


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_resolved(package):
  assert resolve(package).__name__ == f"disentangle_tf.{package}"


def test_names_within_packages_and_libraries_are_resolved():
  assert resolve("models.BetaVAE") is models.BetaVAE
  assert resolve("keras.optimizers.Adam").__name__ == "Adam"
  assert resolve("models.BetVAE") is None and resolve("nothing.at.all") is None


def test_text_that_gin_cannot_read():
  told = explain_parsing(SyntaxError("malformed node or string"))
  assert told == "cannot be read: write NAME = VALUE, with quotes around text"
  assert explain_parsing(RuntimeError("one\n  two")) == "one; two"


@pytest.mark.parametrize(
  ("files", "bindings", "message"),
  [
    (["gin/runs/demo_mes.gin"], [], "did you mean 'gin/runs/demo_mse.gin'"),
    (["gin/runs/demo_mse.gin"], ["BETTA=1"], "does not use BETTA; did you mean 'BETA'"),
    (["gin/runs/demo_mse.gin"], ["training.train.stepz=1"], "did you mean 'steps'"),
    (["gin/runs/demo_mse.gin"], ["training.trian.steps=1"], "did you mean 'train'"),
    (["gin/runs/demo_mse.gin"], ["models.BetVAE.beta=1"], "did you mean 'BetaVAE'"),
    (["gin/runs/demo_mse.gin"], ["nothing.at.all=1"], "no 'nothing'"),
    (
      ["gin/runs/demo_mse.gin"],
      ["x/models.VAE.name='a'"],
      "does not use the scope 'x'",
    ),
    (["gin/runs/demo_mse.gin"], ["trainings.train.steps=1"], "mean 'training'"),
    (
      ["gin/runs/demo_mse.gin"],
      ["keras.optimizers.Adam.learning_rat=1"],
      "did you mean 'learning_rate'",
    ),
    (["gin/runs/demo_mse.gin"], ["training.train.steps="], "cannot be read"),
    (["gin/runs/demo_mse.gin"], ["STEPS=ten"], "STEPS=ten: cannot be read.*quotes"),
    (["gin/runs/demo_mse.gin"], ["STEPS"], "STEPS: cannot be read"),
    (["gin"], [], "is a folder"),
    (["gin/runs/training.gin"], [], "never set.*such as gin/models/beta_vae.gin"),
    (
      RUN_FILES,
      ["BETA=1.0", "LATENTS=2"],
      "^STEPS must be set because gin/runs/training.gin requires it.*--gin_bindings "
      "STEPS=VALUE, or a gin file that sets it, such as gin/runs/demo_mse.gin$",
    ),
    (
      ["gin/data/table.gin"],
      [],
      "^PATH must be set because gin/data/table.gin requires it.* --gin_bindings "
      "PATH=VALUE",
    ),
  ],
)
def test_mistakes_are_one_line_with_the_nearest_name(files, bindings, message):
  with pytest.raises(UserError, match=message) as raised:
    read_configuration(files, bindings)
  assert "\n" not in str(raised.value)


def test_a_mistake_in_a_file_names_the_file(tmp_path):
  path = tmp_path / "mine.gin"
  path.write_text(
    "from __gin__ import dynamic_registration\n"
    "from disentangle_tf import training\n"
    "training.train.stepz = 3\n"
  )
  with pytest.raises(UserError, match="'stepz'.*'steps'.*mine.gin.*line 3"):
    read_configuration([str(path)], [])


def test_a_missing_import_is_reported(tmp_path):
  file = tmp_path / "mine.gin"
  file.write_text("DRAW = @forgotten.draw_levels\n")
  with pytest.raises(UserError, match="draw_levels is not known.*its import"):
    read_configuration([str(file)], ())


def test_a_fault_in_a_configured_function_is_a_traceback(tmp_path, monkeypatch):
  monkeypatch.syspath_prepend(tmp_path)
  (tmp_path / "faulty.py").write_text(
    "def loss(size=3):\n  return [0][size]\n"
    "def refusing(size=3):\n  return int('three')\n"
  )
  file = tmp_path / "mine.gin"
  file.write_text(
    "from __gin__ import dynamic_registration\nimport faulty\nLOSS = @faulty.loss()\n"
  )
  for name, error in (("loss", IndexError), ("refusing", ValueError)):
    with pytest.raises(error):
      call(
        train.main, *QUICK, "--gin_file", file, "--dry_run",
        *binding_flags(f"LOSS=@faulty.{name}()"),
      )  # fmt: skip


def test_a_missing_value_is_asked_for_by_a_binding_that_works(capfd):
  words = (*QUICK, "--dry_run", "--gin_bindings")
  kernel = "losses.Overlap.kernel=@losses.gaussian_kernel()"
  assert call(train.main, *words, kernel) == 2
  asked = capfd.readouterr().err
  assert "needs a value for 'radius'" in asked
  assert "--gin_bindings losses.gaussian_kernel.NAME=VALUE" in asked
  binding = "losses.gaussian_kernel.radius=2"
  assert call(train.main, *words, kernel, *binding_flags(binding)) == 0
