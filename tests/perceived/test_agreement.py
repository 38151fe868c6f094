import pytest
from shared_checks import tiny_data

from disentangle_tf.data import XYSquares
from disentangle_tf.errors import UserError
from disentangle_tf.losses import MSE, Overlap, box_kernel
from disentangle_tf.perceived import agreement

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
