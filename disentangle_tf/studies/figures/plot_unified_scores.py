"""Matrix or aggregation, what do metrics differ in: Locatello et al. 2020."""

from disentangle_tf import plots
from disentangle_tf.studies.analyses import score_correlations
from disentangle_tf.studies.analyses.unified_scores import AGGREGATIONS
from disentangle_tf.studies.figures.captions import caption, number_of
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import title

MATRICES = ("importance", "information", "accuracy")


def plot_unified_scores(
  table, *, which="last", matrices=MATRICES, aggregations=AGGREGATIONS
):
  """Rank correlations over models between all unified scores, one panel per data set.

  Args:
    table: `ResultsTable` with the scores of `analyses.unified_scores`, such as
      "information_mig".
    which: "last" or "best" evaluation of training.
    matrices, aggregations: whose combinations are shown, aggregations together.

  Returns:
    {"unified_scores": figure}.
  """
  table = table.which(which)
  names = [f"{matrix}_{way}" for way in aggregations for matrix in matrices]
  names = present_scores(table, names, "plot_unified_scores")
  panels = score_correlations(table, names, names, resamples=0)
  labels = [" ".join(reversed(name.rsplit("_", 1))) for name in names]
  figure = plots.heat_map_grid_figure(
    {title(data): panel.values for data, panel in panels.items()},
    labels,
    labels,
    notes={title(data): number_of(panel) for data, panel in panels.items()},
    label="rank correlation",
    caption=caption(
      table, names, "Spearman's correlation over models; each score is an aggregation "
      "of a matrix",
    ),
  )  # fmt: skip
  return {"unified_scores": figure}
