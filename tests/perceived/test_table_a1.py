import pytest

from disentangle_tf.data import Cars3D, DSprites, Shapes3D, SmallNORB, XYSquares
from disentangle_tf.perceived.table_a1 import PUBLISHED


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
