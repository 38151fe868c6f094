"""Discrete entropies and mutual information, in nats."""

import numpy as np
from sklearn import metrics as sk_metrics


def entropies(factors):
  """Entropy of each column of `factors`: [factors]."""
  return np.array([sk_metrics.mutual_info_score(f, f) for f in factors.T])


def mutual_information_matrix(codes, factors, *, num_bins):
  """Information between every latent and every factor: [latents, factors]."""
  bins = _equal_width_bins(codes, num_bins)
  return np.array(
    [[sk_metrics.mutual_info_score(f, z) for f in factors.T] for z in bins.T]
  )


def _equal_width_bins(codes, num_bins):
  """Bin numbers of each column over its own range; the maximum has the last bin."""
  edges = [np.histogram_bin_edges(z, num_bins)[:-1] for z in codes.T]
  return np.stack(
    [np.digitize(z, e) for z, e in zip(codes.T, edges, strict=True)], axis=1
  )
