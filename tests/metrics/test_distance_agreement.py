import numpy as np
import pytest
from metric_checks import check_is_scores
from scipy import stats

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import distance_agreement

RNG = np.random.default_rng(0)
DISTANCES = RNG.uniform(size=2000)


def test_known_agreement():
  scores = distance_agreement(DISTANCES, DISTANCES**5, -DISTANCES)
  check_is_scores(scores)
  linear = stats.pearsonr(DISTANCES, DISTANCES**5)[0]
  assert scores == pytest.approx(
    {
      "linear_factor_perceived": linear,
      "rank_factor_perceived": 1,
      "linear_factor_latent": -1,
      "rank_factor_latent": -1,
      "linear_perceived_latent": -linear,
      "rank_perceived_latent": -1,
    }
  )


def test_unrelated_and_constant_distances():
  scores = distance_agreement(DISTANCES, RNG.uniform(size=2000), np.full(2000, 0.3))
  assert abs(scores["linear_factor_perceived"]) < 0.1
  assert abs(scores["rank_factor_perceived"]) < 0.1
  assert scores["linear_factor_latent"] == pytest.approx(0)
  assert scores["rank_factor_latent"] == pytest.approx(0)


def test_two_kinds():
  scores = distance_agreement(DISTANCES, latent_distances=DISTANCES)
  assert scores == pytest.approx({"linear_factor_latent": 1, "rank_factor_latent": 1})


@pytest.mark.parametrize(
  ("distances", "match"),
  [
    ((DISTANCES,), "two kinds"),
    ((DISTANCES, DISTANCES[:9]), "2000 factor, 9 perceived"),
    ((DISTANCES, DISTANCES[:, None]), "perceived distances"),
    ((DISTANCES, DISTANCES * np.nan), "finite"),
  ],
)
def test_what_cannot_be_compared(distances, match):
  with pytest.raises(UserError, match=match):
    distance_agreement(*distances)
