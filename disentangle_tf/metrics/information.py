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
  return np.stack([np.digitize(z, _bin_edges(z, num_bins)) for z in codes.T], axis=1)


def _bin_edges(values, num_bins):
  """Lower edges of the bins; NumPy's, in the codes' own precision while that will do.

  The range of a collapsed latent may hold fewer float32 steps than there are bins.
  """
  for dtype in (values.dtype, np.float64):
    try:
      return np.histogram_bin_edges(values.astype(dtype), num_bins)[:-1]
    except ValueError:
      continue
  return values.min(keepdims=True)  # constant but for rounding: one bin
