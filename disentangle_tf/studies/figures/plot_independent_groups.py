"""How many factors are found, and apart: Locatello et al. 2020."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.studies.analyses import independent_groups

if TYPE_CHECKING:
  from matplotlib.figure import Figure


def plot_independent_groups(matrices: Mapping[str, np.ndarray]) -> dict[str, Figure]:
  """Discovered factors and independent groups as the threshold falls.

  Args:
    matrices: {title: [latents, factors]}, of one model or of several.

  Returns:
    {"independent_groups": figure}, one panel per matrix.
  """
  panels, notes = {}, {}
  for name, matrix in matrices.items():
    found = independent_groups(matrix)
    panels[name] = {
      "independent groups": (found.thresholds, found.groups),
      "discovered factors": (found.thresholds, found.discovered),
    }
    notes[name] = f"area {found.area:.2f}, most {found.most}"
  figure = plots.curve_grid_figure(
    panels,
    x_label="threshold",
    y_label="number",
    notes=notes,
    share_y="all",
    size=(2.1, 1.7),
    caption="Latents and factors hang together where their entry reaches the threshold",
  )
  return {"independent_groups": figure}
