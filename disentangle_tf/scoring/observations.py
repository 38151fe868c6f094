"""Drawn points as observations, binned factors, and Jacobians of decoders."""

from __future__ import annotations

import collections.abc
import dataclasses
import typing
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.data.factor_space import covered_space
from disentangle_tf.metrics.parts.points import factor_classes

if typing.TYPE_CHECKING:
  from disentangle_tf.data import FactorSpace


def bin_factors(
  columns: Iterable[np.ndarray], names: Sequence[str], num_bins: int
) -> tuple[FactorSpace, np.ndarray, list[str]]:
  """The grid that factors form, and the position of each point on it.

  Values are numbered in ascending order. A factor is continuous if it has more than
  `num_bins` values that are not all whole. It is first cut into `num_bins` bins of
  equal width over its range, as the metrics do: its values hardly ever recur, so
  without bins a score that counts would find that every latent determines them.

  Args:
    columns: an array [points] for each factor.
    names: a name for each factor.
    num_bins: bins of a continuous factor.

  Returns:
    (space, numbers [points, factors], remarks): the `FactorSpace`, partial if not all
    combinations occur, and one line for each factor that was binned.
  """
  check_count("evaluate", factor_bins=num_bins)
  numbered = [_numbered(np.asarray(column), num_bins) for column in columns]
  numbers = np.stack([classes for classes, _ in numbered], axis=1)
  sizes = (numbers.max(axis=0) + 1).tolist()
  remarks = [
    f"{name} is continuous ({count} values), scored in {num_bins} bins"
    for name, (classes, count) in zip(names, numbered, strict=True)
    if count > num_bins and classes.max() + 1 < count
  ]
  return covered_space(names, sizes, numbers), numbers, remarks


def _numbered(column: np.ndarray, num_bins: int) -> tuple[np.ndarray, int]:
  """(class numbers from 0 up, number of distinct values)."""
  values, numbers = np.unique(column, return_inverse=True)
  if column.dtype.kind == "f":
    return factor_classes(column[:, None], num_bins=num_bins)[:, 0], len(values)
  return numbers.ravel(), len(values)


JACOBIAN_STEP = 0.01  # relative to the spread of a latent
_LEAST_STEP = 1e-5  # relative to the largest code, 100 times the rounding
_LEAST_SPREAD = 1e-6  # a constant latent has no scale of its own: the prior's is taken


def decoder_jacobians(
  decode: Callable[[np.ndarray], np.ndarray],
  codes: np.ndarray,
  log_variances: np.ndarray | None = None,
) -> np.ndarray:
  """Derivatives of each pixel by each latent, by central differences.

  A step is a hundredth of the latent's spread. The spread is 1 where the codes of all
  images together follow the prior, for active and for pruned latents. For a smooth
  decoder in float32 this balances both errors: a step h has an error of h^2 / 6 times
  the third derivative, which is 2e-5 times it, and a rounding error of about 1e-7 / h,
  which is 1e-5. Clipped pixels do not change, so pass a decoder that does not clip,
  such as `AskableModel.decode_unclipped`.

  Args:
    decode: codes [N, latents] -> means of the pixels [N, ...].
    codes: float32 [points, latents], where to differentiate.
    log_variances: [points, latents] of the posteriors there; None if not known.

  Returns:
    float32 [points, pixels, latents]. It takes 2 * latents decodings per point.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import scoring
    >>> weights = np.array([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]])
    >>> codes = np.zeros((1, 2))
    >>> slopes = scoring.decoder_jacobians(lambda codes: codes @ weights, codes)
    >>> slopes[0].T.round(3).tolist()
    [[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]]
  """
  codes = np.asarray(codes, np.float32)
  columns = np.empty(0, np.float32)  # [latents, points, pixels], allocated once
  for latent, step in enumerate(_steps(codes, log_variances)):
    ahead, behind = codes.copy(), codes.copy()
    ahead[:, latent] += step
    behind[:, latent] -= step
    widths = ahead[:, latent] - behind[:, latent]  # after rounding
    change = (decode(ahead) - decode(behind)).reshape(len(codes), -1)
    if not columns.size:
      columns = np.empty((codes.shape[1], *change.shape), np.float32)
    columns[latent] = change / widths[:, None]
  return columns.transpose(1, 2, 0)


def _steps(codes: np.ndarray, log_variances: np.ndarray | None) -> np.ndarray:
  """Step of each latent, [latents], above 0."""
  variances = codes.var(axis=0, dtype=np.float64)
  if log_variances is not None:
    variances += np.exp(np.asarray(log_variances, np.float64)).mean(axis=0)
  spreads = np.sqrt(variances)
  spreads = np.where(spreads > _LEAST_SPREAD, spreads, 1.0)
  return np.maximum(JACOBIAN_STEP * spreads, _LEAST_STEP * np.abs(codes).max(axis=0))


@dataclasses.dataclass(frozen=True)
class Observations:
  """Points of a data set, each with one image and the model's outputs for it.

  Attributes:
    factors: int32 [points, factors].
    codes: [points, latents], the means.
    log_variances: [points, latents] of the same images; None if they are not known.
    reconstruct: function without arguments -> (images, reconstructions) of the same
      images; None if there is no decoder.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import scoring
    >>> factors = np.zeros((5, 2), np.int32)
    >>> len(scoring.Observations(factors, codes=np.zeros((5, 3), np.float32)))
    5
  """

  factors: np.ndarray
  codes: np.ndarray
  log_variances: np.ndarray | None = None
  reconstruct: collections.abc.Callable | None = None

  def __len__(self) -> int:
    """The number of points."""
    return len(self.factors)
