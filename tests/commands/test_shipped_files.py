import pytest

from disentangle_tf.commands.shipped_files import (
  all_shipped,
  files_that_set,
  gin_home,
  shipped,
)


def test_all_files_are_named_as_users_name_them():
  files = all_shipped()
  assert "gin/runs/demo_mse.gin" in files
  assert "gin/studies/michlo_figure_9_paper_size.gin" in files
  assert all((gin_home() / file).is_file() for file in files)
  assert {f"gin/runs/{name}.gin" for name in shipped("runs")} <= set(files)


@pytest.mark.parametrize(
  ("name", "example"),
  [
    ("DATA", "gin/data/xysquares_small.gin"),
    ("LOSS", "gin/losses/mse.gin"),
    ("ENCODER", "gin/networks/mlp.gin"),
    ("DECODER", "gin/networks/mlp.gin"),
    ("MODEL", "gin/models/beta_vae.gin"),
    ("REDUCTION", "gin/models/beta_vae.gin"),
    ("BETA", "gin/runs/demo_mse.gin"),
    ("LATENTS", "gin/runs/demo_mse.gin"),
    ("STEPS", "gin/runs/demo_mse.gin"),
    ("GAMMA_SUP", "gin/runs/demo_semi_supervised.gin"),
  ],
)
def test_the_best_example_comes_first(name, example):
  assert files_that_set(name)[0] == example


def test_what_asks_for_a_value_does_not_set_it():
  assert files_that_set("PATH") == []
  assert files_that_set("PATH", "%gin.REQUIRED") == ["gin/data/table.gin"]
  assert "gin/runs/training.gin" not in files_that_set("STEPS")
