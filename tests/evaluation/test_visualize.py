import json
import shutil

import numpy as np
import pytest
from foreign_models import Encoder, write_onnx
from PIL import Image
from shared_checks import tiny_data, tiny_model

from disentangle_tf import losses, perceived
from disentangle_tf.data import FactorTable
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import visualize
from disentangle_tf.export import write_export


def test_everything_of_an_export(exported, tmp_path):
  written = visualize(
    model=exported[0], output_dir=tmp_path / "a", num_traversals=2, trusted=True
  )
  assert set(written) == {
    "reconstructions.png",
    "latent_traversals_prior.png",
    "latent_traversals_fitted.png",
    "latent_traversals_range.png",
    "latent_traversals.gif",
    "samples.png",
    "factors_and_latents.png",
    "distances.png",
  }
  for name in written:
    assert (tmp_path / "a" / name).stat().st_size > 500
  with Image.open(tmp_path / "a" / "latent_traversals.gif") as gif:
    assert gif.n_frames == 2 * 24 - 2
  again = {"model": exported[0], "output_dir": tmp_path / "b", "trusted": True}
  visualize(**again, num_traversals=2)
  for name in ("samples.png", "latent_traversals_fitted.png"):
    ours, theirs = (np.asarray(Image.open(tmp_path / f / name)) for f in "ab")
    np.testing.assert_array_equal(ours, theirs)


def test_the_reconstructions_are_the_models(exported, tmp_path):
  folder, model = exported
  visualize(model=folder, output_dir=tmp_path / "a", num_traversals=1, trusted=True)
  picture = np.asarray(Image.open(tmp_path / "a" / "reconstructions.png"))[..., :3]
  points = tiny_data().factors.draw(2_000, np.random.default_rng(0))
  images = tiny_data().observe(points[:9])
  expected = model.reconstruct(images).numpy()
  # Images of 8x8 pixels, each pixel 8 wide, lines of 2; reconstructions are below.
  shown = picture[2 + 64 + 2 : -2, 2:66][::8, ::8] / 255
  np.testing.assert_allclose(shown[..., :2], expected[0], atol=1 / 254)


def test_without_a_data_set_the_decoder_is_shown(exported, tmp_path, capsys):
  copy = shutil.copytree(exported[0], tmp_path / "model")
  (copy / "manifest.json").write_text(json.dumps({"made": "elsewhere"}))
  written = visualize(model=copy, output_dir=tmp_path / "a", trusted=True)
  assert set(written) == {
    "samples.png",
    "latent_traversals_prior.png",
    "latent_traversals.gif",
  }
  told = [line for line in capsys.readouterr().out.splitlines() if "not drawn" in line]
  names = ("reconstructions", "factors_and_latents", "distances")
  assert told == [
    f"not drawn: {name}: no data set is named, add --data" for name in names
  ]


def test_an_encoder_alone(exported, tmp_path, capsys):
  path = write_onnx(tmp_path / "a.onnx", Encoder(exported[1]))
  written = visualize(
    model=path, output_dir=tmp_path / "a", data=tiny_data(), num_traversals=1
  )
  assert set(written) == {"factors_and_latents.png", "distances.png"}
  told = capsys.readouterr().out
  assert "not drawn: reconstructions: the model has no decoder" in told
  assert "not drawn: samples: the model does not decode codes" in told
  with pytest.raises(UserError, match="add --data"):
    visualize(model=path, output_dir=tmp_path / "b")
  assert not (tmp_path / "b").exists()


def test_what_a_set_does_not_allow_is_told(exported, tmp_path, capsys):
  whole = tiny_data()
  points = whole.factors.to_factors(np.arange(len(whole)))
  points = points[points[:, 0] == points[:, 1]]  # x_R and y_R always change together
  some = FactorTable(whole.observe(points).numpy(), points, names=whole.factors.names)
  options = {"model": exported[0], "num_traversals": 1, "trusted": True}
  written = visualize(data=some, output_dir=tmp_path / "a", **options)
  assert "factors_and_latents.png" in written and "distances.png" not in written
  told = "not drawn: distances: no two images differ in x_R alone"
  assert told in capsys.readouterr().out
  unlabelled = tiny_data()
  unlabelled.has_factors = False
  written = visualize(data=unlabelled, output_dir=tmp_path / "b", **options)
  assert "reconstructions.png" in written and "distances.png" not in written
  told = capsys.readouterr().out
  assert "not drawn: factors_and_latents: xysquares has no ground-truth" in told


def test_sets_with_holes_have_distances(exported, tmp_path):
  whole = tiny_data()
  points = whole.factors.to_factors(np.arange(len(whole)))
  points = points[points.sum(axis=1) % 3 > 0]
  some = FactorTable(whole.observe(points).numpy(), points)
  written = visualize(
    model=exported[0],
    data=some,
    output_dir=tmp_path / "a",
    num_traversals=2,
    trusted=True,
  )
  assert "distances.png" in written


@pytest.mark.parametrize("given", [None, losses.MAE()])
def test_distances_are_those_of_the_exports_own_loss(
  given, tmp_path, monkeypatch, capsys
):
  model = tiny_model(reconstruction=losses.Overlap(losses.MSE(), losses.box_kernel(2)))
  folder = write_export(model, tmp_path / "export", data=tiny_data())
  seen, measure = [], perceived.level_distances

  def noted(data, loss, *arguments, **options):
    seen.append(loss)
    return measure(data, loss, *arguments, **options)

  monkeypatch.setattr(perceived, "level_distances", noted)
  options = {"output_dir": tmp_path / "a", "num_traversals": 1, "trusted": True}
  visualize(model=folder, loss=given, **options)
  (loss,) = seen
  if given is not None:
    assert loss is given
  else:
    assert isinstance(loss, losses.Overlap) and loss.alpha == 25
  assert "distances are those of MSE" not in capsys.readouterr().out


def test_a_model_that_does_not_tell_its_loss_is_seen_with_mse(
  exported, tmp_path, capsys
):
  copy = shutil.copytree(exported[0], tmp_path / "model")
  (copy / "manifest.json").unlink()
  written = visualize(
    model=copy, data=tiny_data(), output_dir=tmp_path / "a", num_traversals=1
  )
  assert "distances.png" in written
  assert "model: distances are those of MSE: the model does not tell its loss" in (
    capsys.readouterr().out
  )
