import numpy as np
import pytest
from coin_set import Coin, flatten
from scipy import stats

from disentangle_tf import metrics
from disentangle_tf.data import FactorSubset
from disentangle_tf.scoring import CodesTable, Measurement
from disentangle_tf.scoring.encoding import ImageEncoding
from disentangle_tf.scoring.endless_codes import EndlessCodes


def rng(seed=0):
  return np.random.default_rng(seed)


def test_what_is_known_before_anything_is_asked():
  codes = EndlessCodes(ImageEncoding(flatten), Coin())
  assert isinstance(CodesTable.of_model(flatten, Coin()), EndlessCodes)
  assert codes.num_latents == 2 and codes.has_distribution
  assert codes.num_images is None and not codes.has_reconstructions
  assert codes.seconds > 0  # one image told the size
  means_alone = ImageEncoding(
    lambda images: (flatten(images)[0], None), reconstruct=lambda images: images
  )
  codes = EndlessCodes(means_alone, Coin())
  assert not codes.has_distribution and codes.has_reconstructions


def test_every_point_of_an_endless_set_is_new():
  codes = CodesTable.of_model(flatten, Coin())
  factors = np.zeros((2_000, 2), np.int32)
  chance = rng()
  first, second = (codes.codes_of(factors, chance)[:, 1] for _ in range(2))
  assert len(np.unique(np.append(first, second))) > 3_990
  assert stats.kstest(first, "uniform").pvalue > 1e-3
  again = codes.codes_of(factors, rng())[:, 1]
  np.testing.assert_array_equal(first, again)
  assert (codes.codes_of(factors, rng(1))[:, 1] != first).mean() > 0.99
  whole = codes.sample(None, rng())
  np.testing.assert_array_equal(
    codes.space.to_index(whole.factors), np.arange(codes.space.num_points)
  )


def test_noise_is_not_learned_by_heart():
  # One image for each combination would make the noise tell it: six values of noise,
  # each with its own factors, and a tree reads all of "idle" from them.
  measurement = Measurement(metrics.dci, num_points=300, num_test_points=300)
  scores = measurement.scores(CodesTable.of_model(flatten, Coin()), seed=0)
  blind = 0.5 * (1 + 1 / 3)  # "side" always, "idle" by chance
  assert scores["informativeness_test"] == pytest.approx(blind, abs=0.06)


def test_batches_do_not_change_what_is_drawn():
  factors = Coin().factors.draw(600, rng())
  small, large = (
    CodesTable.of_model(flatten, Coin(), batch_size=size).codes_of(factors, rng())
    for size in (7, 1_000)
  )
  np.testing.assert_array_equal(small, large)


def test_a_subset_without_end_is_drawn_anew():
  table = CodesTable.of_model(flatten, FactorSubset(Coin(), ("side",)))
  drawn = table.codes_of(np.ones((500, 1), np.int32), rng())
  assert (drawn[:, 0] == 1).all() and len(np.unique(drawn[:, 1])) > 490


def test_interventional_metrics_see_new_images_each_time():
  asked = []

  def twice(space, codes_of, rng):
    del space, rng
    point = np.zeros((50, 2), np.int32)
    asked.append((codes_of(point), codes_of(point)))
    return {"score": 0.0}

  table = CodesTable.of_model(flatten, Coin())
  for _ in range(2):
    Measurement(twice).scores(table, seed=3)
  (first, second), again = asked
  assert (first[:, 1] != second[:, 1]).all()
  np.testing.assert_array_equal(again, (first, second))
