from concurrent import futures

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from disentangle_tf.metrics.parts import boosted_trees

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("num_values", [2, 3, 7])
@pytest.mark.parametrize("threads", [1, 3])
def test_grows_the_trees_of_the_stock_classifier(num_values, threads):
  factor = RNG.integers(num_values, size=150)
  # Coarse codes, so that many splits tie and the random state matters.
  codes = np.round(factor[:, None] + RNG.normal(size=(150, 4)), 1)
  codes[:, 3] = -codes[:, 0]
  with futures.ThreadPoolExecutor(threads) as pool:
    ours = boosted_trees.boosting(5, pool)
    assert isinstance(ours, boosted_trees.SideBySideBoosting)
    ours.set_params(n_estimators=20).fit(codes, factor)
  stock = GradientBoostingClassifier(random_state=5, n_estimators=20)
  stock.fit(codes, factor)
  # The same trees apart from rounding: other trees would differ by far more.
  for name in ("feature_importances_", "train_score_"):
    np.testing.assert_allclose(getattr(ours, name), getattr(stock, name), atol=1e-9)
  np.testing.assert_allclose(
    ours.decision_function(codes), stock.decision_function(codes), atol=1e-9
  )


@pytest.mark.parametrize("expected", ["_STAGE_ARGUMENTS", "_LEAF_ARGUMENTS"])
def test_gives_the_stock_classifier_where_scikit_learn_has_changed(
  monkeypatch, expected
):
  monkeypatch.setattr(boosted_trees, expected, "self something else")
  classifier = boosted_trees.boosting(0, None)
  assert type(classifier) is GradientBoostingClassifier
  assert classifier.random_state == 0


def test_takes_a_version_of_scikit_learn_without_the_private_function(monkeypatch):
  monkeypatch.delattr(boosted_trees._gb, "_update_terminal_regions")
  assert type(boosted_trees.boosting(0, None)) is GradientBoostingClassifier
