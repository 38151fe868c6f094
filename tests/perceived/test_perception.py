import dataclasses
import json

import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import FactorTable, Pinwheel
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel
from disentangle_tf.losses import MSE, Overlap, box_kernel, gaussian_kernel
from disentangle_tf.perceived import (
  Perception,
  distance_matrix,
  level_agreement,
  level_distances,
  perceive,
)
from disentangle_tf.perceived.perception import describe_loss


def _made(**options):
  parts = {name: {} for name in ("importance", "agreement", "curves")}
  lists = {"traversals": [], "matrices": []}
  return Perception(data=tiny_data(), loss=MSE(), **parts, **lists, **options)


def test_what_was_not_asked_for_is_none():
  found = _made()
  for name in ("worlds", "ranking", "level_distances", "levels"):
    assert getattr(found, name) is None
  assert _made(ranking=[{"loss": "mse"}]).ranking == [{"loss": "mse"}]


def test_what_was_found_stays():
  with pytest.raises(dataclasses.FrozenInstanceError):
    _made().importance = {}


FEW = {"num_pairs": 200, "num_curve_pairs": 200, "num_traversals": 4}


def test_what_is_found():
  found = perceive(data=tiny_data(), rank_losses=True, **FEW)
  written = found.importance
  assert written["loss"] == {"class": "MSE"}
  assert set(written["factors"]) == {"x_R", "y_R", "x_G", "y_G"}
  assert {"mean", "std", "exact"} <= set(written["factors"]["x_R"])
  assert {"mean", "std", "exact"} <= set(written["random"])
  assert found.agreement["adversarial"]
  assert found.ranking[-1]["loss"] in ("mse", "mae")
  # Data of the figures: a square of 4 pixels moves, so 8 of 128 numbers change.
  for matrix in found.matrices:
    np.testing.assert_allclose(matrix, (1 - np.eye(4)) * 8 / 128, atol=1e-6)
  assert list(found.curves) == ["random", "x_R", "y_R", "x_G", "y_G"]
  np.testing.assert_allclose(found.curves["x_R"], 8 / 128, atol=1e-6)
  for factor, points in enumerate(found.traversals):
    assert points[:, factor].tolist() == [0, 1, 2, 3]
  assert found.worlds is found.levels is found.level_distances is None
  with pytest.raises(dataclasses.FrozenInstanceError):
    found.ranking = None


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
def test_nonsense_is_named(name):
  arguments = {"data": tiny_data(), **FEW, name: NONSENSE[name]}
  with pytest.raises(UserError, match=rf"perceive\.{name} is "):
    perceive(**arguments)


def test_other_worlds_are_data_sets():
  with pytest.raises(UserError, match="others.'x'.*GroundTruthData"):
    perceive(data=tiny_data(), others={"x": 3}, **FEW)


def test_also_looks_into_a_model(exported):
  model, other = ExportedModel(exported[0]), tiny_data(grid_spacing=1)
  found = perceive(data=tiny_data(), others={"1 px": other}, model=model, **FEW)
  recorded = found.importance
  assert recorded["others"]["1 px"]["arguments"]["grid_spacing"] == 1
  assert recorded["model"]["sha256"] == model.sha256
  assert list(found.worlds) == ["ground truth", "1 px"]
  np.testing.assert_array_equal(found.worlds["ground truth"][0], [0, 1, 2, 3])
  expected = distance_matrix(other, MSE(), 0, num_traversals=4)
  np.testing.assert_array_equal(found.worlds["1 px"], expected)
  assert found.levels == level_agreement(found.level_distances)
  assert found.levels["x_R"]["observations"] == pytest.approx(
    {k: found.agreement["factors"]["x_R"][k] for k in ("linear", "rank")}
  )


def test_the_papers_settings_reach_the_figures(exported):
  model = ExportedModel(exported[0])
  options = {**FEW, "num_curve_pairs": 321, "symmetric": False}
  found = perceive(data=tiny_data(), model=model, **options)
  assert {len(values) for values in found.curves.values()} == {321}
  one_way, both = (
    level_agreement(
      level_distances(tiny_data(), MSE(), model, num_traversals=4, symmetric=symmetric)
    )["x_R"]["posterior KL"]
    for symmetric in (False, True)
  )
  assert found.levels["x_R"]["posterior KL"] == pytest.approx(one_way)
  assert one_way != pytest.approx(both, rel=1e-6)


def test_a_loss_is_described():
  loss = Overlap(MSE(), box_kernel(3), alpha=49)
  found = describe_loss(loss)
  assert found["class"] == "Overlap" and found["loss"]["class"] == "MSE"
  assert found["alpha"] == 49 and found["kernel_shape"] == [7, 7]
  assert found["kernel_entries"] == pytest.approx(49)
  other = describe_loss(Overlap(MSE(), gaussian_kernel(3), alpha=49))
  assert other["kernel_shape"] == [7, 7] and other["kernel_entries"] < 40
  json.dumps(found)


def test_sets_that_cannot_be_perceived():
  data = tiny_data()
  data.has_factors = False
  with pytest.raises(UserError, match="no ground-truth factors"):
    perceive(data=data, **FEW)
  images = np.zeros((2, 4, 4, 1), np.float32)
  some = FactorTable(images, np.array([[0, 0], [1, 1]]))
  with pytest.raises(UserError, match="no two images differ in factor_0 alone"):
    perceive(data=some, **FEW)
  with pytest.raises(UserError, match="pinwheel has no images"):
    perceive(data=Pinwheel(), **FEW)


def test_sets_with_holes_are_estimated(exported):
  data = tiny_data()
  points = data.factors.to_factors(np.arange(len(data)))
  points = points[points.sum(axis=1) % 3 > 0]
  some = FactorTable(data.observe(points).numpy(), points, names=data.factors.names)
  found = perceive(data=some, model=ExportedModel(exported[0]), **FEW)
  for row in found.importance["factors"].values():
    # A square of 4 pixels moves: 8 of 128 numbers change.
    assert row["mean"] == pytest.approx(8 / 128, rel=1e-5) and not row["exact"]
  assert found.agreement["adversarial"]
  assert set(found.levels["x_R"]) >= {"observations", "latent means"}
  for traversal in found.traversals:  # existing points only
    assert (traversal.sum(axis=1) % 3 > 0).all() and len(traversal) > 1
