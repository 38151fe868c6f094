"""Matrices of all metrics under one aggregation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.metrics._dci import disentanglement
from disentangle_tf.metrics._modularity import latent_modularity
from disentangle_tf.studies.analyses import score_correlations
from disentangle_tf.studies.figures.captions import caption, number_of, present_scores
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


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


_WAYS = {"dci": "DCI", "mig": "MIG", "sap": "SAP", "modularity": "Modularity"}
MATRICES = ("importance", "information", "accuracy")


def plot_unified_scores(
  table: pd.DataFrame,
  *,
  which: str = "last",
  matrices: Sequence[str] = MATRICES,
  aggregations: Sequence[str] = AGGREGATIONS,
) -> dict[str, Figure | str]:
  """Rank correlations over models between all unified scores, one panel per data set.

  Args:
    table: results table with the scores of `locatello.unified_scores`, such as
      "information_mig".
    which: "last" or "best" evaluation of training.
    matrices, aggregations: whose combinations are shown, aggregations together.

  Returns:
    {"unified_scores": figure}.
  """
  table = one_step(table, which)
  names = [f"{matrix}_{way}" for way in aggregations for matrix in matrices]
  names = present_scores(table, names, "plot_unified_scores")
  panels = score_correlations(table, names, names, resamples=0)
  labels = [_label(name) for name in names]
  figure = plots.heat_map_grid_figure(
    {title(data): 100 * panel.values for data, panel in panels.items()},
    labels,
    labels,
    notes={title(data): number_of(panel) for data, panel in panels.items()},
    limits=(-100.0, 100.0),
    label="rank correlation × 100",
    decimals=0,
    caption=caption(
      table, names, "Spearman's correlation × 100 over models; each score "
      "is an aggregation of a matrix",
    ),
  )  # fmt: skip
  return {"unified_scores": figure}


def _label(name: str) -> str:
  matrix, way = name.rsplit("_", 1)
  return f"{_WAYS.get(way, way)} ({matrix})"
