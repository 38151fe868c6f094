"""Can unsupervised scores select a model: figure 9 of Locatello et al. 2019."""

from disentangle_tf.studies.analyses.score_correlations import score_correlations
from disentangle_tf.studies.paper_names import METRICS, UNSUPERVISED


def unsupervised_scores(
  table,
  *,
  unsupervised=tuple(UNSUPERVISED),
  scores=tuple(METRICS),
  resamples=1_000,
  rng=0,
):
  """Spearman's correlation over models of unsupervised scores with the metrics.

  The signs are those of the scores as they are: a reconstruction error is better when
  it is lower, an ELBO when it is higher.

  Args:
    unsupervised: names of the rows' scores.
    scores: names of the columns' scores.
    table, resamples, rng: as of `score_correlations`, whose result it gives.
  """
  return score_correlations(table, unsupervised, scores, resamples=resamples, rng=rng)
