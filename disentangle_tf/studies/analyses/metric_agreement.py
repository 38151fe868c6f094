"""Do the disentanglement metrics agree: figure 6 of Locatello et al. 2019."""

from disentangle_tf.studies.analyses.score_correlations import score_correlations
from disentangle_tf.studies.paper_names import METRICS


def metric_agreement(table, *, scores=tuple(METRICS), resamples=1_000, rng=0):
  """Spearman's correlation over models between the metrics, on each data set.

  Arguments and result as of `score_correlations`, with the same scores in rows and
  columns: symmetric, and 1 on the diagonal of every score that varies.
  """
  return score_correlations(table, scores, scores, resamples=resamples, rng=rng)
