"""The importance matrix of disentanglement, completeness and informativeness."""

from disentangle_tf.metrics.dci_fit import dci_fit


def dci_importance(
  codes, factors, *, predictor="gradient_boosting", rng=0, num_jobs=-1
):
  """How much the predictor of each factor uses each latent: [latents, factors].

  Arguments, cost and edge cases as of `dci`. Those of trees sum to 1 for every factor
  of several values, and are 0 for others; those of "svm" and "lasso" are mean sizes of
  weights. If the scores are wanted as well, `dci_fit` fits once for both.
  """
  return dci_fit(
    codes,
    factors,
    codes[:1],
    factors[:1],
    predictor=predictor,
    rng=rng,
    num_jobs=num_jobs,
  ).importance
