import json

import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf import plots
from disentangle_tf.data import FactorTable
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel
from disentangle_tf.losses import MSE, Overlap, box_kernel, gaussian_kernel
from disentangle_tf.perceived import (
  level_agreement,
  level_distances,
  perceive,
)
from disentangle_tf.perceived.perceive import (
  describe_loss,
  factor_traversals,
  importance_table,
)

FEW = {"num_pairs": 200, "num_curve_pairs": 200, "num_traversals": 4}


def test_writes_tables_and_figures(tmp_path):
  found = perceive(data=tiny_data(), output_dir=tmp_path / "a", rank_losses=True, **FEW)
  names = {path.name for path in (tmp_path / "a").iterdir()}
  figures = ("factor_traversals", "distance_matrices", "cumulative")
  assert names == {
    "importance.json",
    "importance.md",
    "agreement.json",
    "ranking.json",
    "ranking.md",
    "factor_traversals.gif",
    *(f"{figure}.{suffix}" for figure in figures for suffix in ("png", "svg")),
  }
  written = json.loads((tmp_path / "a" / "importance.json").read_text())
  assert written == found["importance"]
  assert written["loss"] == {"class": "MSE"}
  assert set(written["factors"]) == {"x_R", "y_R", "x_G", "y_G"}
  assert {"mean", "std", "exact"} <= set(written["factors"]["x_R"])
  assert {"mean", "std", "exact"} <= set(written["random"])
  assert found["agreement"]["adversarial"]
  with pytest.raises(UserError, match="exists and is not empty"):
    perceive(data=tiny_data(), output_dir=tmp_path / "a", **FEW)


NONSENSE = {
  "num_pairs": -1,
  "num_curve_pairs": 0,
  "num_traversals": "a",
  "symmetric": "no",
  "seed": -1,
  "rank_losses": "yes",
  "others": 5,
  "loss": 5,
  "data": 5,
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_named_and_leaves_nothing(name, tmp_path):
  arguments = {"data": tiny_data(), **FEW, name: NONSENSE[name]}
  with pytest.raises(UserError, match=rf"perceive\.{name} is "):
    perceive(output_dir=tmp_path / "a", **arguments)
  assert list(tmp_path.iterdir()) == []


def test_what_fails_midway_leaves_nothing(tmp_path, monkeypatch):
  def fail(*_):
    raise KeyboardInterrupt

  monkeypatch.setattr(plots, "cumulative_figure", fail)
  with pytest.raises(KeyboardInterrupt):
    perceive(data=tiny_data(), output_dir=tmp_path / "a", **FEW)
  assert list(tmp_path.iterdir()) == []


def test_other_worlds_are_data_sets(tmp_path):
  with pytest.raises(UserError, match="others.'x'.*GroundTruthData"):
    perceive(data=tiny_data(), others={"x": 3}, output_dir=tmp_path / "b", **FEW)


def test_also_looks_into_a_model(exported, tmp_path):
  model = ExportedModel(exported[0])
  found = perceive(
    data=tiny_data(),
    others={"1 px": tiny_data(grid_spacing=1)},
    model=model,
    output_dir=tmp_path / "a",
    **FEW,
  )
  recorded = json.loads((tmp_path / "a" / "importance.json").read_text())
  assert recorded["others"]["1 px"]["arguments"]["grid_spacing"] == 1
  assert recorded["model"]["sha256"] == model.sha256
  assert (tmp_path / "a" / "worlds.png").exists()
  levels = json.loads((tmp_path / "a" / "levels.json").read_text())
  assert levels == found["levels"]
  assert levels["x_R"]["observations"] == pytest.approx(
    {k: found["agreement"]["factors"]["x_R"][k] for k in ("linear", "rank")}
  )
  table = (tmp_path / "a" / "levels.md").read_text().splitlines()
  assert table[0].startswith("| linear correlation | observations | latent means |")
  assert f"{levels['y_G']['reconstructions']['linear']:.2f} |" in table[-1]
  assert (tmp_path / "a" / "levels.svg").stat().st_size > 500


def test_the_papers_settings_reach_the_figures(exported, tmp_path, monkeypatch):
  curves, draw = {}, plots.cumulative_figure

  def recorded(distances):
    curves.update(distances)
    return draw(distances)

  monkeypatch.setattr(plots, "cumulative_figure", recorded)
  model = ExportedModel(exported[0])
  options = {**FEW, "num_curve_pairs": 321, "symmetric": False}
  found = perceive(data=tiny_data(), model=model, output_dir=tmp_path / "a", **options)
  assert {len(values) for values in curves.values()} == {321}
  one_way, both = (
    level_agreement(
      level_distances(tiny_data(), MSE(), model, num_traversals=4, symmetric=symmetric)
    )["x_R"]["posterior KL"]
    for symmetric in (False, True)
  )
  assert found["levels"]["x_R"]["posterior KL"] == pytest.approx(one_way)
  assert one_way != pytest.approx(both, rel=1e-6)


def test_the_table_has_the_most_important_factor_first():
  row = {"std": 0.1, "exact": True, "mean_error": 0.0, "std_error": 0.0}
  factors = {"a": row | {"mean": 0.2}, "b": row | {"mean": 0.4}}
  importance = {"factors": factors, "random": row | {"mean": 0.5, "exact": False}}
  agreed = {
    "factors": {"b": {"linear": 0.25, "rank": 0.5, "constant": True}},
    "random": {"linear": 0.1, "rank": 0.2},
  }
  published = {"a": (0.21, 0.1), "b": (0.41, 0.1), "random": (0.51, 0.1)}
  lines = importance_table(importance, agreed, published).splitlines()
  assert [line.split()[1] for line in lines[2:]] == ["random", "b", "a"]
  expected = "| b | 0.400000 | 0.100000 | every pair | 0.25 | 0.50 | yes | 0.4100 "
  assert lines[3].startswith(expected)
  assert len({line.count("|") for line in lines}) == 1


def test_a_loss_is_described():
  loss = Overlap(MSE(), box_kernel(3), alpha=49)
  found = describe_loss(loss)
  assert found["class"] == "Overlap" and found["loss"]["class"] == "MSE"
  assert found["alpha"] == 49 and found["kernel_shape"] == [7, 7]
  assert found["kernel_entries"] == pytest.approx(49)
  other = describe_loss(Overlap(MSE(), gaussian_kernel(3), alpha=49))
  assert other["kernel_shape"] == [7, 7] and other["kernel_entries"] < 40
  json.dumps(found)


def test_traversals_change_one_factor():
  images = factor_traversals(tiny_data(), np.random.default_rng(0))
  assert images.shape == (4, 4, 8, 8, 3)
  assert (np.ptp(images[0, :4], axis=0)[..., 1] == 0).all()  # green stays
  assert (np.ptp(images[0, :4], axis=0)[..., 0] > 0).any()
  moving = factor_traversals(tiny_data(), np.random.default_rng(0), frames=7)
  np.testing.assert_array_equal(moving[:, ::2], images)
  table = np.arange(5 * 4 * 4 * 2, dtype=np.float32).reshape(10, 4, 4, 1) / 200
  grid = np.stack([np.repeat(np.arange(5), 2), np.tile(np.arange(2), 5)], axis=1)
  few = factor_traversals(FactorTable(table, grid), np.random.default_rng(0))
  assert few.shape == (2, 5, 4, 4, 3)
  assert (few[1, 2:] == 1).all() and (few[0] < 1).all()  # after two values, white


def test_sets_that_cannot_be_perceived(tmp_path):
  data = tiny_data()
  data.has_factors = False
  with pytest.raises(UserError, match="no ground-truth factors"):
    perceive(data=data, output_dir=tmp_path / "a", **FEW)
  images = np.zeros((2, 4, 4, 1), np.float32)
  some = FactorTable(images, np.array([[0, 0], [1, 1]]))
  with pytest.raises(UserError, match="no two images differ in factor_0 alone"):
    perceive(data=some, output_dir=tmp_path / "a", **FEW)
  assert not (tmp_path / "a").exists()


def test_sets_with_holes_are_estimated(exported, tmp_path):
  data = tiny_data()
  points = data.factors.to_factors(np.arange(len(data)))
  points = points[points.sum(axis=1) % 3 > 0]
  some = FactorTable(data.observe(points).numpy(), points, names=data.factors.names)
  found = perceive(
    data=some, model=ExportedModel(exported[0]), output_dir=tmp_path / "a", **FEW
  )
  for row in found["importance"]["factors"].values():
    # A square of 4 pixels leaves and comes, of 128 numbers.
    assert row["mean"] == pytest.approx(8 / 128, rel=1e-5) and not row["exact"]
  assert found["agreement"]["adversarial"]
  assert set(found["levels"]["x_R"]) >= {"observations", "latent means"}
  names = {path.name for path in (tmp_path / "a").iterdir()}
  assert {"distance_matrices.png", "factor_traversals.gif", "levels.png"} <= names


def test_worlds_side_by_side(tmp_path):
  worlds = {"2 px": tiny_data(), "1 px": tiny_data(grid_spacing=1, image_size=5)}
  perceive(data=tiny_data(), others=worlds, output_dir=tmp_path / "a", **FEW)
  assert (tmp_path / "a" / "worlds.png").stat().st_size > 500
