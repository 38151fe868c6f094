"""What each latent knows of each factor, in four ways."""

import numpy as np

from disentangle_tf import metrics
from disentangle_tf.metrics.mcc import correlation_matrix
from disentangle_tf.metrics.parts.information import mutual_information_matrix


def factor_latent_matrices(codes, factors):
  """{title: [latents, factors]}: four ways in which latents know of factors.

  Of the accuracy, a third of the points are kept to test.

  Args:
    codes: [points, latents].
    factors: [points, factors].
  """
  kept = 2 * len(codes) // 3
  splits = codes[:kept], factors[:kept], codes[kept:], factors[kept:]
  return {
    "mutual information": mutual_information_matrix(codes, factors, num_bins=20),
    "correlation": np.abs(correlation_matrix(codes, factors)),
    "importance": metrics.dci_importance(codes, factors, predictor="random_forest"),
    "accuracy": metrics.sap_matrix(*splits),
  }
