import csv

import pytest

from disentangle_tf.data import Cars3D, DSprites, Shapes3D, SmallNORB, XYSquares
from disentangle_tf.losses import MAE, MSE
from disentangle_tf.papers import michlo_table_a1
from disentangle_tf.papers.michlo import _TABLE_A1


def _published():
  """{data set: {factor: (mean, standard deviation)}} of the file."""
  found = {}
  with _TABLE_A1.open(newline="") as file:
    for row in csv.DictReader(file):
      numbers = float(row["mean"]), float(row["deviation"])
      found.setdefault(row["data"], {})[row["factor"]] = numbers
  return found


PUBLISHED = _published()


@pytest.mark.parametrize(
  ("name", "factors"),
  [
    ("cars3d", Cars3D.factor_names),
    ("shapes3d", Shapes3D.factor_names),
    ("smallnorb", SmallNORB.factor_names),
    ("dsprites", DSprites().factors.names),
    ("xysquares", XYSquares().factors.names),
  ],
)
def test_its_factors_are_those_of_our_sets(name, factors):
  assert set(PUBLISHED[name]) == {"random", *factors}


def test_no_factor_is_farther_than_random_pairs_and_the_farthest_comes_first():
  assert len(PUBLISHED) == 5
  for rows in PUBLISHED.values():
    means = [mean for mean, _ in rows.values()]
    assert next(iter(rows)) == "random" and means == sorted(means, reverse=True)


def test_squares_move_all_alike():
  rows = dict(PUBLISHED["xysquares"])
  random_mean, _ = rows.pop("random")
  assert set(rows.values()) == {(0.0104, 0.0)} and len(rows) == 6
  # One square moves: 2 * 64 of 64 * 64 * 3 numbers change.
  assert rows["x_R"][0] == pytest.approx(128 / 12288, abs=5e-5)
  assert random_mean == 0.0308


def test_the_papers_numbers_stand_beside_those_of_its_sets_alone():
  assert michlo_table_a1(XYSquares(), MSE())["x_R"] == (0.0104, 0.0)
  assert not michlo_table_a1(XYSquares(), MAE())
  assert not michlo_table_a1(XYSquares(grid_spacing=1), MSE())
  assert not michlo_table_a1(XYSquares(num_squares=2), MSE())
