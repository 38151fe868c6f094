"""Total correlation against strength: figures 2, 3, 15, 16 of Locatello et al. 2019."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import total_correlation_curves
from disentangle_tf.studies.analyses.total_correlation_curves import MEAN, SAMPLED
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

_ANNEALED = "AnnealedVAE"  # much more sensitive: it has figures of its own


def plot_total_correlation(
  table: pd.DataFrame, *, which: str = "last"
) -> dict[str, Figure | str]:
  """Medians over seeds; one panel per data set, one line per method.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.

  Returns:
    {"total_correlation_sampled" and "total_correlation_mean": figure}, without
    AnnealedVAE; if the table has it, also with it: "..._with_annealed_vae".
  """
  table, figures = one_step(table, which), {}
  present = present_scores(table, (SAMPLED, MEAN), "plot_total_correlation")
  for score in present:
    name = "sampled" if score == SAMPLED else "mean"
    for without in ((_ANNEALED,), ()):
      if not without and _ANNEALED not in set(table["method"]):
        continue
      end = "" if without else "_with_annealed_vae"
      chosen = table[~table["method"].isin(without)]
      panels = total_correlation_curves(
        chosen, sampled=score == SAMPLED, without=without
      )
      figures[f"total_correlation_{name}{end}"] = plots.curve_grid_figure(
        {
          title(data): {title(m): (curve.x, curve.y) for m, curve in curves.items()}
          for data, curves in panels.items()
        },
        x_label="regularisation strength",
        y_label=f"TC ({name}), nats",
        x_ticks=sorted(chosen["strength"].unique()),
        share_y=False,  # pyright: ignore[reportArgumentType]
        size=(2.1, 1.6),
        caption=caption(chosen, [score], "Medians over seeds"),
      )
  return figures
