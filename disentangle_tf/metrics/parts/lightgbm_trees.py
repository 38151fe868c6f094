"""Gradient-boosted trees of LightGBM, an optional package."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  from lightgbm import LGBMClassifier


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
