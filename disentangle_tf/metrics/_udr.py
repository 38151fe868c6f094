"""Unsupervised disentanglement ranking (UDR; Duan et al. 2020)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from disentangle_tf.arguments import (
  check_choice,
  check_positive,
  check_truth,
  check_weight,
)
from disentangle_tf.errors import UserError
from disentangle_tf.metrics._mcc import correlation_matrix
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.points import check_codes, varying_columns

_METHODS = ("lasso", "spearman")


@higher_is_better("udr")
def udr(
  codes_of_models: Sequence[np.ndarray],
  *,
  method: str = "lasso",
  kl: Sequence[np.ndarray] | None = None,
  kl_threshold: float = 0.01,
  drop_inactive: bool = True,
  alpha: float = 0.1,
) -> dict[str, float]:
  """Agreement between the latents of models that were trained with different seeds.

  Two models agree as far as each latent of one is like a single latent of the other, up
  to order and sign. Disentangled models are expected to agree most. The score is the
  mean over models.

  Args:
    codes_of_models: `[points, latents]` representation means of two or more models, on
      the same points in the same order.
    method: "lasso" compares latents by the weights of Lasso regressions from one
      model's latents to the other's, "spearman" by rank correlation.
    kl: for each model `[latents]`, the mean KL divergence of each latent from the
      prior; latents up to `kl_threshold` are inactive. With None, constant latents are
      inactive.
    kl_threshold: see `kl`.
    drop_inactive: True leaves inactive latents out of the means; False counts them as
      0.
    alpha: weight of the L1 penalty of the Lasso.

  Returns:
    `{"udr": float}`, 0 or more, about 1 at most, higher is better. Random codes score
    about 0. A model without active latents scores 0. A constant latent agrees with no
    other, nor does an inactive latent that `drop_inactive=False` keeps. (In
    disentanglement_lib such a latent gives NaN for "spearman", which turns every score
    that it enters into 0.)

  Raises:
    UserError: if there are fewer than two models, or their numbers of points differ.

  Needs no labels, but several models. Usually 10,000 points. Cost: models^2 Lasso fits
  per latent; 3 models of 10,000 points and 10 latents take about 0.1 s.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> codes = np.indices((4, 4)).reshape(2, -1).T
    >>> permuted = -codes[:, ::-1]  # another order and sign of the same latents
    >>> scores = metrics.udr([codes, permuted], method="spearman")
    >>> round(scores["udr"], 6)
    1.0

  Reference: Duan et al. 2020, "Unsupervised Model Selection for Variational
  Disentangled Representation Learning"; as in the code of Locatello et al. 2019.
  """
  scores = udr_scores(
    codes_of_models,
    method=method,
    kl=kl,
    kl_threshold=kl_threshold,
    drop_inactive=drop_inactive,
    alpha=alpha,
  )
  return {"udr": float(scores.mean())}


def udr_scores(codes_of_models: Sequence[np.ndarray], **options: Any) -> np.ndarray:
  """Score of each model, to rank them: `[models]`. Arguments: see `udr`.

  It is the median of the model's agreement with each of the others.
  """
  agreement = udr_matrix(codes_of_models, **options)
  others = ~np.eye(len(agreement), dtype=bool)
  return np.array(
    [
      np.median(column[other])
      for column, other in zip(agreement.T, others, strict=True)
    ]
  )


def udr_matrix(
  codes_of_models: Sequence[np.ndarray],
  *,
  method: str = "lasso",
  kl: Sequence[np.ndarray] | None = None,
  kl_threshold: float = 0.01,
  drop_inactive: bool = True,
  alpha: float = 0.1,
) -> np.ndarray:
  """Agreement of every two models: `[from, to]`, 0 on the diagonal. See `udr`."""
  check_choice("udr", _METHODS, method=method)
  check_weight("udr", kl_threshold=kl_threshold)
  check_positive("udr", alpha=alpha)
  check_truth("udr", drop_inactive=drop_inactive)
  models = _check_models(codes_of_models)
  active = _active_latents(models, kl, kl_threshold)
  counts = [a.sum() if drop_inactive else len(a) for a in active]
  prepare = _ranks if method == "spearman" else _standardised
  models = [prepare(codes[:, a]) for codes, a in zip(models, active, strict=True)]
  agreement = np.zeros((len(models), len(models)))
  for i, j in np.argwhere(~np.eye(len(models), dtype=bool)):
    if models[i].size and models[j].size:
      strengths = (
        _lasso_weights(models[i], models[j], alpha)
        if method == "lasso"
        else np.abs(correlation_matrix(models[i], models[j]))
      )
      agreement[i, j] = _relative_strength(strengths, counts[i], counts[j])
  return agreement


def _check_models(codes_of_models: Sequence[np.ndarray]) -> list[np.ndarray]:
  models = [_check_model(number, codes) for number, codes in enumerate(codes_of_models)]
  if len(models) < 2 or len({len(codes) for codes in models}) > 1:
    raise UserError(
      "UDR needs the codes of two models or more on the same points, got shapes "
      f"{[codes.shape for codes in models]}"
    )
  return models


def _check_model(number: int, codes: np.ndarray) -> np.ndarray:
  try:
    return check_codes(codes)
  except UserError as error:
    raise UserError(f"model {number}: {error}") from None


def _active_latents(
  models: list[np.ndarray], kl: Sequence[np.ndarray] | None, threshold: float
) -> list[np.ndarray]:
  """Which latents of each model are active: `[latents]` bool."""
  if kl is None:
    return [varying_columns(codes) for codes in models]
  kl = [np.asarray(values) for values in kl]
  if [v.shape for v in kl] != [codes.shape[1:] for codes in models]:
    raise UserError("UDR needs a KL divergence for each latent of each model")
  return [values > threshold for values in kl]


def _standardised(codes: np.ndarray) -> np.ndarray:
  codes = codes.astype(np.float64)
  scale = np.where(varying_columns(codes), codes.std(axis=0), 1.0)
  return (codes - codes.mean(axis=0)) / scale


def _ranks(codes: np.ndarray) -> np.ndarray:
  from scipy import stats

  return stats.rankdata(codes, axis=0) if codes.size else codes


def _lasso_weights(codes: np.ndarray, targets: np.ndarray, alpha: float) -> np.ndarray:
  """Absolute weight of each latent for each target: [latents, targets]."""
  from sklearn import linear_model

  lasso = linear_model.Lasso(alpha=alpha).fit(codes, targets)
  return np.abs(lasso.coef_).reshape(targets.shape[1], codes.shape[1]).T


def _relative_strength(strengths: np.ndarray, num_rows: int, num_columns: int) -> float:
  """Mean of largest^2 / sum over rows and columns; inactive latents count as 0."""
  columns, rows = (
    np.divide(np.square(largest), total, out=np.zeros_like(total), where=total > 0)
    for largest, total in (
      (strengths.max(axis=axis), strengths.sum(axis=axis)) for axis in (0, 1)
    )
  )
  return (columns.sum() / num_columns + rows.sum() / num_rows) / 2
