import gin
import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.data import FactorTable, XYSquares
from disentangle_tf.errors import UserError
from disentangle_tf.losses import MAE, MSE, Overlap, box_kernel
from disentangle_tf.perceived import agreement, rank_losses
from disentangle_tf.perceived.ranking import losses_to_try

# Linear and rank correlation along x_R of XYSquares, spacings 1 to 8.
MSE_TABLE = (
  (1.00, 1.00), (0.94, 0.99), (0.86, 0.95), (0.75, 0.85),
  (0.72, 0.85), (0.67, 0.85), (0.60, 0.85), (0.52, 0.58),
)  # fmt: skip
BOX_TABLE = (
  (0.98, 0.99), (0.99, 0.99), (0.99, 0.99), (0.99, 0.99),
  (0.99, 0.99), (0.98, 0.98), (0.97, 0.98), (0.96, 0.97),
)  # fmt: skip
BOX = Overlap(MSE(), box_kernel(31), alpha=63**2)


@pytest.mark.parametrize(
  ("loss", "table", "spacing"),
  [
    *((MSE(), MSE_TABLE, spacing) for spacing in (1, 4, 8)),
    (BOX, BOX_TABLE, 8),
    *(pytest.param(MSE(), MSE_TABLE, s, marks=pytest.mark.slow) for s in (2, 3, 5, 6)),
    *(pytest.param(BOX, BOX_TABLE, s, marks=pytest.mark.slow) for s in range(1, 8)),
  ],
)
def test_the_known_correlations(loss, table, spacing):
  data = XYSquares(grid_spacing=spacing)
  found = agreement(data, loss, num_traversals=24)
  linear, rank = table[spacing - 1]
  assert found["factors"]["x_R"]["linear"] == pytest.approx(linear, abs=0.02)
  assert found["factors"]["x_R"]["rank"] == pytest.approx(rank, abs=0.02)
  adversarial = spacing == 8 and loss is not BOX
  assert found["adversarial"] == adversarial
  if adversarial:
    assert found["random"]["linear"] == pytest.approx(0.55, abs=0.03)
    assert found["random"]["rank"] == pytest.approx(0.37, abs=0.03)


def test_factors_without_an_order_are_left_out():
  data = tiny_data(image_size=4)  # two positions
  found = agreement(data, MSE(), num_traversals=3)
  assert found["factors"] == {} and not found["adversarial"]


def test_seeded():
  first, again, other = (
    agreement(tiny_data(grid_spacing=1), BOX, num_traversals=2, rng=rng)
    for rng in (0, 0, 1)
  )
  assert first == again != other


def test_bad_counts():
  with pytest.raises(UserError, match="num_traversals"):
    agreement(tiny_data(), MSE(), num_traversals=0)


def test_losses_that_see_the_order_come_first():
  losses = {
    "mse": MSE(),
    "small": Overlap(MSE(), box_kernel(1), alpha=9),
    "large": Overlap(MSE(), box_kernel(4), alpha=81),
  }
  ranking = rank_losses(tiny_data(), losses, num_traversals=8)
  assert [row["loss"] for row in ranking] == ["large", "small", "mse"]
  assert ranking[0]["score"] > 0.85 > 0.75 > ranking[2]["score"]
  assert [row["adversarial"] for row in ranking] == [False, False, True]


def test_the_losses_to_try_suit_the_image():
  tried = losses_to_try(tiny_data())
  assert {"mse", "mae", "box 4", "gaussian 1"} <= set(tried)
  assert isinstance(tried["mae"], MAE)
  assert tried["box 4"].alpha == 81


@pytest.mark.parametrize(
  ("file", "kernel"), [("overlap", "box"), ("overlap_gaussian", "gaussian")]
)
def test_a_blur_weighs_what_its_gin_file_trains_with(file, kernel):
  """The Gaussian of radius 32 was ranked at 65 * 65, five times what it trained at."""
  tried = losses_to_try(XYSquares())[f"{kernel} 32"]
  bindings = [f"losses.{kernel}_kernel.radius=32"]
  implied = {"perceived.perceive.loss": "LOSS"}
  read_configuration([f"gin/losses/{file}.gin"], bindings, implied=implied)
  trained = gin.get_bindings("perceived.perceive")["loss"]
  np.testing.assert_array_equal(tried.kernel, trained.kernel)
  assert tried.alpha == trained.alpha == pytest.approx(1 / np.sum(tried.kernel**2))


def test_factors_of_two_values_have_no_order():
  images = np.zeros((4, 4, 4, 1), np.float32)
  data = FactorTable(images, np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
  with pytest.raises(UserError, match="no factor of .* has three values"):
    rank_losses(data, {"mse": MSE()}, num_traversals=2)


def test_a_row_is_what_agreement_finds_and_its_mean():
  (row,) = rank_losses(tiny_data(), {"mse": MSE()}, num_traversals=3, rng=2)
  found = agreement(tiny_data(), MSE(), num_traversals=3, rng=2)
  assert {name: row[name] for name in found} == found
  linear = [factor["linear"] for factor in found["factors"].values()]
  assert row["score"] == pytest.approx(sum(linear) / 4)


def test_factors_without_an_order_cannot_rank():
  with pytest.raises(UserError, match="no factor of xysquares has three values"):
    rank_losses(tiny_data(image_size=4), {"mse": MSE()})
