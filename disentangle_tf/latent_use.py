"""How much each latent is used, and which latents are dead, judged by the codes."""

import numpy as np
import numpy.typing as npt

_LEAST_KL = 0.01  # nats
_LEAST_SPREAD = 0.01  # of the largest
_DETERMINISTIC = -80.0  # exports of deterministic encoders have log-variances of -87.3


def latent_use(
  codes: npt.ArrayLike, log_variances: npt.ArrayLike | None
) -> tuple[np.ndarray, float]:
  """Measure how much each latent is used.

  Args:
    codes: [points, latents].
    log_variances: [points, latents], or None.

  Returns:
    (use [latents], threshold): a latent whose use is below the threshold is dead. The
    use is the mean KL divergence from the standard normal in nats. Without
    log-variances, or with a deterministic encoder, it is the standard deviation of the
    codes.
  """
  codes = np.asarray(codes, np.float64)
  if log_variances is None or is_deterministic(log_variances):
    spread = codes.std(axis=0)
    return spread, _LEAST_SPREAD * spread.max()
  log_variances = np.asarray(log_variances, np.float64)
  kl = 0.5 * (codes**2 + np.exp(log_variances) - 1 - log_variances).mean(axis=0)
  return kl, _LEAST_KL


def most_used_first(
  codes: npt.ArrayLike, log_variances: npt.ArrayLike | None
) -> np.ndarray:
  """Order the latents by their use, the most used first: [latents]."""
  return np.argsort(-latent_use(codes, log_variances)[0], kind="stable")


def dead_latents(
  codes: npt.ArrayLike, log_variances: npt.ArrayLike | None
) -> np.ndarray:
  """Find the latents that carry almost no information: [latents] bool.

  Their KL divergence is below 0.01 nats. If it is not known, the standard deviation of
  their codes is below 1 % of the largest one.
  """
  use, least = latent_use(codes, log_variances)
  return use < least


def is_deterministic(log_variances: npt.ArrayLike) -> bool:
  """Whether these log-variances come from the export of a deterministic encoder."""
  return np.max(log_variances) < _DETERMINISTIC
