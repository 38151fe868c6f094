import json

import pytest
from command_calls import call, check_mistake

from disentangle_tf.commands import perceive


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


def test_perceive_looks_into_a_model_with_its_own_data(exported, tmp_path, capsys):
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
