"""Gradient-boosted trees of scikit-learn, the trees of a stage on several cores."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from concurrent import futures
from typing import Any

import numpy as np
from sklearn import tree
from sklearn.ensemble import GradientBoostingClassifier, _gb

from disentangle_tf.metrics.parts.contract import check_time

_TREE_SETTINGS = (
  "max_depth",
  "min_samples_split",
  "min_samples_leaf",
  "min_weight_fraction_leaf",
  "min_impurity_decrease",
  "max_features",
  "max_leaf_nodes",
  "ccp_alpha",
)
_STAGE_ARGUMENTS = (
  "self i X y raw_predictions sample_weight sample_mask random_state X_csc X_csr"
)
_LEAF_ARGUMENTS = (
  "loss tree X y neg_gradient raw_prediction sample_weight sample_mask learning_rate k"
)
_UNUSED_BITS = np.random.MT19937(0)  # a random state needs a bit generator


class SideBySideBoosting(GradientBoostingClassifier):
  """`GradientBoostingClassifier` on several cores, with the same trees.

  The trees of a stage, one for each class, do not depend on each other, and growing a
  tree releases Python's lock. This class overrides a private method. Call `boosting`
  for an instance: it returns the original classifier where scikit-learn has changed.
  """

  pool: futures.Executor

  def _fit_stage(
    self,
    i: int,
    X: np.ndarray,  # noqa: N803, scikit-learn's name
    y: np.ndarray,
    raw_predictions: np.ndarray,
    sample_weight: np.ndarray | None,
    sample_mask: np.ndarray,
    random_state: np.random.RandomState,
    X_csc: np.ndarray | None = None,  # noqa: N803
    X_csr: np.ndarray | None = None,  # noqa: N803
  ) -> np.ndarray:
    del X_csc, X_csr  # codes are dense
    loss: Any = self._loss
    gradient = loss.gradient(y_true=y, raw_prediction=raw_predictions)
    downhill = -gradient.reshape(len(X), -1)
    states = [_OneDraw(random_state) for _ in downhill.T]

    def grow(k: int) -> tree.DecisionTreeRegressor:
      check_time()
      grown = self._tree(states[k])
      grown.fit(X, downhill[:, k], sample_weight=sample_weight, check_input=False)
      _gb._update_terminal_regions(
        loss,
        grown.tree_,
        X,
        np.array(y == k, np.float64) if loss.is_multiclass else y,
        downhill[:, k],
        raw_predictions,
        sample_weight,
        sample_mask,
        learning_rate=self.learning_rate,
        k=k,
      )
      return grown

    self.estimators_[i] = list(self.pool.map(grow, range(len(states))))
    return raw_predictions

  def _tree(self, random_state: np.random.RandomState) -> tree.DecisionTreeRegressor:
    criterion = getattr(self, "criterion", "deprecated")
    return tree.DecisionTreeRegressor(
      criterion="squared_error" if criterion == "deprecated" else criterion,
      random_state=random_state,
      **{name: getattr(self, name) for name in _TREE_SETTINGS},
    )


class _OneDraw(np.random.RandomState):
  """Random state with a single, precomputed draw, because trees grow in no fixed order.

  Copying the whole state for each tree would take longer.
  """

  def __init__(self, random_state: np.random.RandomState) -> None:
    super().__init__(_UNUSED_BITS)
    self._drawn = random_state.randint(np.iinfo(np.int32).max)

  def randint(self, *args: object, **options: object) -> int:
    return self._drawn


def boosting(seed: int, pool: futures.Executor) -> GradientBoostingClassifier:
  """Gradient-boosted trees of scikit-learn with its default settings.

  Args:
    seed: decides ties between splits.
    pool: the executor that grows the trees.
  """
  if not _is_known(GradientBoostingClassifier._fit_stage, _STAGE_ARGUMENTS) or not (
    _is_known(getattr(_gb, "_update_terminal_regions", None), _LEAF_ARGUMENTS)
  ):
    return GradientBoostingClassifier(random_state=seed)
  classifier = SideBySideBoosting(random_state=seed)
  classifier.pool = pool
  return classifier


def _is_known(function: Callable | None, arguments: str) -> bool:
  known = arguments.split()
  return callable(function) and list(inspect.signature(function).parameters) == known
