"""Every matrix with every aggregation: unified scores of Locatello et al. 2020."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.dci import disentanglement
from disentangle_tf.metrics.modularity import latent_modularity

AGGREGATIONS = ("dci", "mig", "sap", "modularity")


def unified_scores(
  matrices: Mapping[str, ArrayLike], entropies: ArrayLike
) -> dict[str, float]:
  """Scores of matrices that relate latents to factors, each by four aggregations.

  They show whether metrics differ by their matrix or by its aggregation. Four of the
  combinations are named metrics: DCI disentanglement of the trees' importance, MIG and
  modularity of mutual information, SAP of the accuracies of support vector machines.

  Args:
    matrices: {name: [latents, factors]}, such as {"importance": `dci_importance`,
      "information": `mutual_information_matrix`, "accuracy": `sap_matrix`}, entries 0
      or more.
    entropies: [factors], of the factors in nats; the gap of MIG is relative to them.

  Returns:
    {"name_aggregation": float}, such as "information_mig"; higher is better.
    "dci": certainty of each latent about which factor it serves, weighted;
    "mig": mean gap between the two largest entries of a factor, over its entropy;
    "sap": mean gap;
    "modularity": mean over latents. With a single latent the second largest entry is 0.

  Reference: Locatello et al. 2020, "A Sober Look at the Unsupervised Learning of
  Disentangled Representations and their Evaluation"; as in disentanglement_lib.
  """
  entropies = np.asarray(entropies, float)
  scores = {}
  for name, matrix in matrices.items():
    matrix = _check(name, matrix, entropies)
    gaps = _gaps(matrix)
    scores[f"{name}_dci"] = disentanglement(matrix)
    scores[f"{name}_mig"] = float((gaps / entropies).mean())
    scores[f"{name}_sap"] = float(gaps.mean())
    scores[f"{name}_modularity"] = float(latent_modularity(matrix).mean())
  return scores


def _check(name: str, matrix: ArrayLike, entropies: np.ndarray) -> np.ndarray:
  matrix = np.asarray(matrix, float)
  if matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
    raise UserError(f"the matrix {name!r} must be [latents, factors] of finite numbers")
  if (matrix < 0).any():
    raise UserError(f"the matrix {name!r} has entries below 0")
  if entropies.shape != matrix.shape[1:] or not (entropies > 0).all():
    raise UserError(
      f"the matrix {name!r} has {matrix.shape[1]} factors: each needs an entropy above "
      f"0, got {entropies.tolist()}"
    )
  return matrix


def _gaps(matrix: np.ndarray) -> np.ndarray:
  """Between the two largest entries of each factor: [factors]."""
  if len(matrix) == 1:
    return matrix[0]
  second, first = np.sort(matrix, axis=0)[-2:]
  return first - second
