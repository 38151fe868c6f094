"""Gradient-boosted trees: scikit-learn's, on shared columns, and LightGBM's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from concurrent import futures
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn import tree
from sklearn.ensemble import GradientBoostingClassifier, _gb

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import check_time

if TYPE_CHECKING:
  from lightgbm import LGBMClassifier


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


def lightgbm_package() -> ModuleType:
  """The module lightgbm, or a `UserError` that says how to install it."""
  try:
    import lightgbm
  except (ImportError, OSError) as error:  # OSError: without its OpenMP library
    raise UserError(
      f'LightGBM cannot be loaded ({error}): pip install -e ".[fast]"'
    ) from error
  return lightgbm


def lightgbm_classifier(seed: int) -> LGBMClassifier:
  """Classifier with settings close to scikit-learn's defaults, on one thread.

  Leaves of a single point bring its scores close to scikit-learn's; LightGBM's default
  is 20 points.
  """
  return lightgbm_package().LGBMClassifier(
    max_depth=3,
    num_leaves=8,
    n_estimators=100,
    learning_rate=0.1,
    min_child_samples=1,
    random_state=seed,
    n_jobs=1,
    verbosity=-1,
  )


def lightgbm_importances(model: LGBMClassifier) -> np.ndarray:
  """Decrease of the gradients' squared error by splits on each latent: `[latents]`.

  This is scikit-learn's measure. LightGBM's own "gain" divides by second derivatives
  instead of points; it would raise DCI's scores by another 0.02 or so.
  """
  dump = model.booster_.dump_model()
  totals = np.zeros(model.n_features_in_)
  for number, grown in enumerate(dump["tree_info"]):
    root = grown["tree_structure"]
    # A class's first tree holds its prior; the gradients sum to 0 there.
    first = number < dump["num_tree_per_iteration"]
    _add_splits(totals, root, root.get("internal_value", 0.0) if first else 0.0)
  return totals


def _add_splits(totals: np.ndarray, node: dict, prior: float) -> float:
  """Add the gains of all splits below `node`; return the node's sum^2 / points."""
  if "split_feature" not in node:
    return _squared_sum(node, "leaf", prior)
  own = _squared_sum(node, "internal", prior)
  below = sum(_add_splits(totals, node[f"{s}_child"], prior) for s in ("left", "right"))
  totals[node["split_feature"]] += max(below - own, 0.0)
  return own


def _squared_sum(node: dict, kind: str, prior: float) -> float:
  """Squared sum of a node's gradients over its points; value is sum over weight."""
  points = node.get(f"{kind}_count", 0)
  total = (node[f"{kind}_value"] - prior) * node.get(f"{kind}_weight", 0.0)
  return total**2 / points if points else 0.0
