"""Do metrics predict downstream accuracy: figure 12 of Locatello et al. 2019."""

from disentangle_tf.studies.analyses.score_correlations import score_correlations
from disentangle_tf.studies.paper_names import BOOSTING, EFFICIENCY, LOGISTIC, METRICS

DOWNSTREAM = (*LOGISTIC, *BOOSTING, *EFFICIENCY)


def downstream_agreement(
  table, *, scores=tuple(METRICS), downstream=DOWNSTREAM, resamples=1_000, rng=0
):
  """Spearman's correlation over models of the metrics with downstream accuracies.

  Args:
    scores: names of the rows' scores.
    downstream: names of the columns' scores: accuracies of both predictors at 10, 100,
      1,000 and 10,000 labels as in the paper, and both efficiencies.
    table, resamples, rng: as of `score_correlations`, whose result it gives.
  """
  return score_correlations(table, scores, downstream, resamples=resamples, rng=rng)
