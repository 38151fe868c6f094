import json
import shutil

import numpy as np
import pytest
from command_calls import call
from figure_checks import read_png
from foreign_models import Encoder, write_onnx
from manipulated_sets import write_manipulated
from shared_checks import tiny_data, tiny_model

from disentangle_tf import losses, perceived
from disentangle_tf.commands import visualize
from disentangle_tf.export import write_export

DATA = """
from __gin__ import dynamic_registration

from disentangle_tf import data

DATA = @data.XYSquares()
data.XYSquares.grid_spacing = 2
data.XYSquares.num_squares = 2
data.XYSquares.image_size = 8
data.XYSquares.square_size = 2
"""
FEW = ("--gin_bindings", "pictures.visualize.num_traversals=2")


def _names(folder):
  return {
    path.name for path in folder.iterdir() if path.suffix not in (".svg", ".json")
  }


def test_an_export_with_its_own_data(exported, tmp_path, capsys):
  out = tmp_path / "out"
  words = ["--model", exported[0], "--trusted", *FEW, "--output_dir", out]
  assert call(visualize.main, *words) == 0
  assert _names(out) == {
    "reconstructions.png",
    "latent_traversals_prior.png",
    "latent_traversals_fitted.png",
    "latent_traversals_range.png",
    "latent_traversals.gif",
    "latent_plane.png",
    "samples.png",
    "factors_and_latents.png",
    "distances.png",
  }
  assert read_png(out / "reconstructions.png").shape == (2 * 66 + 2, 9 * 66 + 2, 3)
  told = capsys.readouterr().out
  assert f"written to {out}: reconstructions.png, latent_traversals_prior" in told
  assert call(visualize.main, *words) == 2  # the folder is not empty


def test_a_model_that_names_no_data(exported, tmp_path, capsys, caplog):
  copy = shutil.copytree(exported[0], tmp_path / "model")
  (copy / "manifest.json").write_text(json.dumps({"made": "elsewhere"}))
  out = tmp_path / "out"
  assert call(visualize.main, "--model", copy, "--trusted", "--output_dir", out) == 0
  assert _names(out) == {
    *("samples.png", "latent_traversals_prior.png", "latent_traversals.gif"),
    "latent_plane.png",
  }
  told = capsys.readouterr().out + caplog.text
  assert "not drawn: distances: no data set is given: set visualize.data" in told


def test_a_foreign_encoder(exported, tmp_path, capsys, caplog):
  path = write_onnx(tmp_path / "a.onnx", Encoder(exported[1]))
  (tmp_path / "data.gin").write_text(DATA)
  out = tmp_path / "out"
  words = ["--model", path, "--data", tmp_path / "data.gin", *FEW]
  assert call(visualize.main, *words, "--output_dir", out) == 0
  assert _names(out) == {"factors_and_latents.png", "distances.png"}
  assert "the model has no decoder" in capsys.readouterr().out + caplog.text
  other = tmp_path / "other"
  assert call(visualize.main, "--model", path, "--output_dir", other) == 2
  assert "set visualize.data" in capsys.readouterr().err and not other.exists()


def test_data_that_is_no_data_set(exported, tmp_path, capsys):
  (tmp_path / "data.gin").write_text("DATA = 5")
  words = ["--model", exported[0], "--data", tmp_path / "data.gin"]
  assert call(visualize.main, *words, "--output_dir", tmp_path / "out") == 2
  (line,) = capsys.readouterr().err.strip().splitlines()
  assert "visualize.data is 5" in line and not (tmp_path / "out").exists()


@pytest.mark.parametrize("file", [None, "gin/losses/mae.gin"])
def test_distances_are_those_of_the_exports_own_loss(
  file, tmp_path, monkeypatch, capsys
):
  model = tiny_model(reconstruction=losses.Overlap(losses.MSE(), losses.box_kernel(2)))
  folder = write_export(model, tmp_path / "export", data=tiny_data())
  seen, measure = [], perceived.level_distances

  def noted(data, loss, *arguments, **options):
    seen.append(loss)
    return measure(data, loss, *arguments, **options)

  monkeypatch.setattr(perceived, "level_distances", noted)
  words = ["--model", folder, "--trusted", *FEW, "--output_dir", tmp_path / "out"]
  words += ["--gin_file", file] if file else []
  assert call(visualize.main, *words) == 0
  (loss,) = seen
  if file:
    assert isinstance(loss, losses.MAE)
  else:
    assert isinstance(loss, losses.Overlap) and loss.alpha == 25
  assert "distances are those of MSE" not in capsys.readouterr().out


def test_a_model_without_a_recorded_loss_uses_mse(exported, tmp_path, capsys):
  copy = shutil.copytree(exported[0], tmp_path / "model")
  (copy / "manifest.json").unlink()
  (tmp_path / "data.gin").write_text(DATA)
  words = ["--model", copy, "--data", tmp_path / "data.gin", "--trusted", *FEW]
  assert call(visualize.main, *words, "--output_dir", tmp_path / "out") == 0
  assert (tmp_path / "out" / "distances.png").exists()
  assert "model: distances are those of MSE: the manifest does not record the loss" in (
    capsys.readouterr().out
  )


def test_a_manipulated_set_without_a_model(tmp_path, capsys):
  folder, out = write_manipulated(tmp_path / "hard"), tmp_path / "out"
  words = ["--data", "manipulated", "--gin_bindings", f"FOLDER = '{folder}'"]
  assert call(visualize.main, *words, "--output_dir", out) == 0
  assert _names(out) == {"original_change_sum.png"}
  # Images of 16x16 pixels, each pixel 4 wide, between lines of 2.
  picture = read_png(out / "original_change_sum.png")
  assert picture.shape == (3 * 66 + 2, 9 * 66 + 2, 3)
  changes = picture[68:132, 2:].reshape(64, 9, 66, 3)[:, :, :64]
  darkest = changes.min(axis=(0, 2, 3))  # nothing, one pixel, or all of them
  assert set(np.round(darkest, 1)) <= {0.0, 0.5}
  capsys.readouterr()


def test_another_set_without_a_model(tmp_path, capsys):
  words = ["--data", "spot", "--output_dir", tmp_path / "out"]
  assert call(visualize.main, *words) == 2
  assert "without a model only manipulated sets are drawn" in capsys.readouterr().err
  assert call(visualize.main, "--output_dir", tmp_path / "out") == 2
  assert "--model is missing" in capsys.readouterr().err
