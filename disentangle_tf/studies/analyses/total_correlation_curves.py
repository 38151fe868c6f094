"""Total correlation against strength: figures 2, 3, 15, 16 of Locatello et al. 2019."""

from disentangle_tf.studies.analyses.score_against_strength import (
  score_against_strength,
)

MEAN = "gaussian_total_correlation"
SAMPLED = "sampled_gaussian_total_correlation"


def total_correlation_curves(table, *, sampled, without=("AnnealedVAE",)):
  """Median over seeds of the total correlation, in nats, as the strength grows.

  Args:
    table: `ResultsTable` of one step per model.
    sampled: of codes sampled from the posterior (figures 2 and 15), or else of their
      means (figures 3 and 16).
    without: methods that are left out; none in figures 15 and 16.

  Returns:
    {data set: {method: `Curve`}}, x the strength 0, 1, ....
  """
  score = SAMPLED if sampled else MEAN
  kept = [method for method in table.names("method") if method not in without]
  curves = score_against_strength(table.select(method=kept), scores=(score,))
  return {data: methods for (data, _), methods in curves.items()}
