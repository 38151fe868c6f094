import json
import shutil

import pytest
from command_calls import call, check_mistake
from shared_checks import tiny_data, tiny_model

from disentangle_tf import losses, models
from disentangle_tf.commands import perceive
from disentangle_tf.export import write_export

FEW = [
  word
  for binding in ("num_pairs=4", "num_curve_pairs=4", "num_traversals=1")
  for word in ("--gin_bindings", f"perceived.perceive.{binding}")
]


@pytest.fixture(scope="module")
def blurred(tmp_path_factory):
  """An export that was trained with a box blur."""
  loss = losses.Overlap(losses.MSE(), losses.box_kernel(2))
  folder = tmp_path_factory.mktemp("blurred") / "export"
  return write_export(tiny_model(models.VAE, loss), folder, data=tiny_data())


def _seen_with(model, tmp_path, *flags):
  """The loss that the command records."""
  output = tmp_path / "seen"
  words = ("--model", model, "--trusted", "--output_dir", output)
  assert call(perceive.main, *words, *FEW, *flags) == 0
  return json.loads((output / "importance.json").read_text())["loss"]


def test_the_loss_of_the_export_is_the_default(blurred, tmp_path, capsys):
  found = _seen_with(blurred, tmp_path)
  assert found["class"] == "Overlap" and found["loss"]["class"] == "MSE"
  assert found["alpha"] == 25 and found["kernel_shape"] == [5, 5]
  shown = capsys.readouterr().out
  assert "distances are those of" not in shown and "as Overlap perceives them" in shown


@pytest.mark.parametrize(
  "flags",
  [
    ("--gin_file", "gin/losses/mae.gin"),
    ("--gin_bindings", "perceived.perceive.loss=@losses.MAE()"),
    ("--gin_bindings", "LOSS=@losses.MAE()"),
  ],
)
def test_a_file_or_a_binding_wins(flags, blurred, tmp_path, capsys):
  assert _seen_with(blurred, tmp_path, *flags)["class"] == "MAE"
  assert "distances are those of" not in capsys.readouterr().out


def test_a_model_without_a_recorded_loss_uses_mse(blurred, tmp_path, capsys):
  bare = shutil.copytree(blurred, tmp_path / "bare")
  (bare / "manifest.json").unlink()
  data = tmp_path / "data.gin"
  settings = tiny_data().get_config()
  lines = [f"data.XYSquares.{name} = {value!r}" for name, value in settings.items()]
  head = "from __gin__ import dynamic_registration\n\nfrom disentangle_tf import data\n"
  data.write_text("\n".join([head, "DATA = @data.XYSquares()", *lines]))
  found = _seen_with(bare, tmp_path, "--data", data)
  assert found == {"class": "MSE"}
  (line,) = [x for x in capsys.readouterr().out.splitlines() if "those of MSE" in x]
  assert line.startswith(f"{bare}: distances are those of MSE: the manifest does not")


def test_perceive(tmp_path, capsys):
  out = tmp_path / "seen"
  assert call(
    perceive.main,
    "--gin_file", "gin/data/xysquares_small.gin",
    "--gin_file", "gin/losses/overlap.gin",
    "--gin_bindings", "losses.box_kernel.radius=7",
    "--gin_bindings", "perceived.perceive.num_pairs=100",
    "--gin_bindings", "perceived.perceive.num_traversals=2",
    "--output_dir", out,
  ) == 0  # fmt: skip
  importance = json.loads((out / "importance.json").read_text())
  assert importance["loss"]["kernel_shape"] == [15, 15]
  shown = capsys.readouterr().out
  assert (out / "importance.md").read_text() in shown
  assert "adversarial" not in shown


def test_perceive_measures_a_model_on_its_own_data(exported, tmp_path, capsys):
  out = tmp_path / "out"
  assert call(
    perceive.main,
    "--model", exported[0],
    "--gin_file", "gin/losses/overlap.gin",
    "--gin_bindings", "losses.box_kernel.radius=2",
    "--gin_bindings", "perceived.perceive.num_traversals=2",
    "--output_dir", out,
  ) == 0  # fmt: skip
  assert (out / "levels.md").read_text() in capsys.readouterr().out
  levels, agreed = (
    json.loads((out / name).read_text()) for name in ("levels.json", "agreement.json")
  )
  blurred = agreed["factors"]["x_R"]
  assert not blurred["constant"]  # as it would be under MSE
  assert levels["x_R"]["observations"]["linear"] == pytest.approx(blurred["linear"])


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    (("--output_dir", "x"), "--gin_file is missing"),
    (
      ("--gin_file", "gin/data/pinwheel.gin", "--output_dir", "x"),
      "no images",
    ),
  ],
)
def test_mistakes_cost_one_line_and_exit_code_2(
  arguments, message, tmp_path, monkeypatch, capfd
):
  monkeypatch.chdir(tmp_path)
  check_mistake(perceive.main, arguments, message, folder=tmp_path, capfd=capfd)
