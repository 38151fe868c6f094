import gin
import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.data import FactorTable, XYSquares
from disentangle_tf.errors import UserError
from disentangle_tf.losses import MAE, MSE, Overlap, box_kernel
from disentangle_tf.perceived import agreement, rank_losses
from disentangle_tf.perceived.rank_losses import losses_to_try


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
