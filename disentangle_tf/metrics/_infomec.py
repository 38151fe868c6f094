"""InfoMEC: modularity, explicitness and compactness (Hsu et al. 2023)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.arguments import check_count, check_truth
from disentangle_tf.metrics.parts import information
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.fitting import FitPool, Progress, num_values
from disentangle_tf.metrics.parts.points import discrete_points, factor_classes

if TYPE_CHECKING:
  from scipy import sparse


_ACTIVE_SHARE = 1 / 20  # share of the widest latent's range


@higher_is_better("infom", "infoe", "infoc")
def infomec(
  codes: np.ndarray,
  factors: np.ndarray,
  *,
  discrete_latents: bool = False,
  num_neighbours: int = 10,
  num_bins: int = 20,
  num_jobs: int = -1,
) -> dict[str, float]:
  """Modularity, explicitness and compactness, from normalised mutual information.

  Args:
    codes: `[points, latents]` representation means, or the values of quantised latents.
    factors: `[points, factors]` ground-truth factors.
    discrete_latents: True if each latent takes few values without an order. Information
      is then counted, otherwise estimated from `num_neighbours` nearest neighbours.
    num_neighbours: neighbours of a point in its class.
    num_bins: equal-width bins of a factor that has more values than this and not all
      are whole numbers.
    num_jobs: factors fitted at the same time, in threads; -1 uses every core.

  Returns:
    Three floats in [0, 1], higher is better. NMI is the information between an active
    latent and a factor, divided by the factor's entropy.
    "infom": mean over latents of largest NMI / sum of NMI over factors, rescaled so
      that equal shares score 0;
    "infoc": mean over factors of largest NMI / sum of NMI over latents, likewise;
    "infoe": mean over factors of 1 - cross-entropy of a logistic regression / that of a
      uniform prediction. The regression uses all latents, has no penalty and balanced
      classes, and is scored on its training points. It is a lower bound: 100 steps do
      not reach 1 for a factor of many values.
    Latents whose range is below 1/20 of the widest are inactive and left out of "infom"
    and "infoc" (discrete latents: only constant ones). Without an active latent all are
    0. A latent without information, or a factor that no latent encodes, counts as 0.
    For a random code "infom" and "infoc" are shares of estimation noise and can take
    any value; "infoe" is about 0. With one factor "infom", and with one latent "infoc",
    is 1 if there is any information. Factors with a single value are left out.

  Needs labels. Usually 10,000 points. Cost: a logistic regression per factor; 10,000
  points of dSprites' factors take about 1 s on two cores.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((2, 2)).reshape(2, -1).T.repeat(5, axis=0)
    >>> scores = metrics.infomec(factors, factors, discrete_latents=True)
    >>> {name: round(score, 3) for name, score in scores.items()}
    {'infom': 1.0, 'infoe': 1.0, 'infoc': 1.0}

  Reference: Hsu et al. 2023, "Disentanglement via Latent Quantization".
  """
  check_count("infomec", num_neighbours=num_neighbours, num_bins=num_bins)
  check_truth("infomec", discrete_latents=discrete_latents)
  codes, factors = discrete_points(codes, factors, num_bins=num_bins)
  ranges = np.ptp(codes, axis=0)
  active = ranges > (0 if discrete_latents else ranges.max() * _ACTIVE_SHARE)
  if not active.any():
    return {"infom": 0.0, "infoe": 0.0, "infoc": 0.0}
  matrix = _normalised_information(
    codes[:, active], factors, discrete_latents, num_neighbours
  )
  return {
    "infom": mean_share(matrix),
    "infoe": _explicitness(codes, factors, discrete_latents, num_jobs),
    "infoc": mean_share(matrix.T),
  }


def mean_share(matrix: np.ndarray) -> float:
  """Mean over rows of largest / sum, from 0 for equal shares to 1 for a single one."""
  totals, count = matrix.sum(axis=1), matrix.shape[1]
  if count == 1:
    return float((totals > 0).mean())
  shares = np.divide(
    matrix.max(axis=1), totals, out=np.full(len(matrix), 1 / count), where=totals > 0
  )
  return float((shares.mean() - 1 / count) / (1 - 1 / count))


def _normalised_information(
  codes: np.ndarray, factors: np.ndarray, discrete_latents: bool, num_neighbours: int
) -> np.ndarray:
  """Information over the factors' entropy: [latents, factors]."""
  if discrete_latents:
    matrix = information.class_information_matrix(_values(codes), factors)
  else:
    matrix = information.neighbour_information_matrix(
      codes, factors, num_neighbours=num_neighbours
    )
  return matrix / information.entropies(factors)


def _values(codes: np.ndarray) -> np.ndarray:
  """Each latent's values as class numbers."""
  return factor_classes(codes, num_bins=len(codes))


def _explicitness(
  codes: np.ndarray, factors: np.ndarray, discrete_latents: bool, num_jobs: int
) -> float:
  from sklearn import preprocessing

  if discrete_latents:
    inputs = preprocessing.OneHotEncoder().fit_transform(codes)
  else:
    inputs = preprocessing.StandardScaler().fit_transform(codes.astype(np.float64))

  def fit(position: int, progress: Progress) -> float:
    return _predictive_information(inputs, factors[:, position])

  values = num_values(factors)
  with FitPool(num_jobs, title="infomec") as pool:
    names = [f"factor {i} ({count} values)" for i, count in enumerate(values)]
    found = pool.map(fit, range(len(values)), costs=values, names=names)
  return float(np.mean(found))


def _predictive_information(
  inputs: np.ndarray | sparse.csr_matrix, classes: np.ndarray
) -> float:
  """1 - cross-entropy of a fitted regression / that of a uniform prediction."""
  from scipy import special
  from sklearn import linear_model

  # Without a penalty; balanced classes make the best guess uniform.
  model = linear_model.LogisticRegression(C=np.inf, class_weight="balanced")
  model.fit(inputs, classes)
  logits = model.decision_function(inputs)
  if logits.ndim == 1:  # two classes: the logit of the second
    logits = np.stack([np.zeros_like(logits), logits], axis=1)
  chosen = logits[np.arange(len(classes)), classes]
  loss = np.mean(special.logsumexp(logits, axis=1) - chosen)
  return float(np.clip(1 - loss / np.log(logits.shape[1]), 0, 1))
