"""How much each latent is used, and which latents are dead, as their codes tell."""

import numpy as np
import numpy.typing as npt

_LEAST_KL = 0.01  # nats
_LEAST_SPREAD = 0.01  # of the largest
_DETERMINISTIC = -80.0  # exports of deterministic encoders have log-variances of -87.3


def latent_use(
  codes: npt.ArrayLike, log_variances: npt.ArrayLike | None
) -> tuple[np.ndarray, float]:
  """(how much each latent is used [latents], the least use that is not none).

  The mean KL from the standard normal in nats, or, where no log-variances are known or
  the encoder is deterministic, the standard deviation of the codes.

  Args:
    codes: [points, latents].
    log_variances: the same, or None.
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
  """Latents by their KL from the standard normal, or by their spread: [latents]."""
  return np.argsort(-latent_use(codes, log_variances)[0], kind="stable")


def dead_latents(
  codes: npt.ArrayLike, log_variances: npt.ArrayLike | None
) -> np.ndarray:
  """Which latents say next to nothing about the image: [latents] bool.

  Those of a KL below 0.01 nats; if it is not known, those whose codes spread less than
  a hundredth as far as those of the latent that spreads farthest.
  """
  use, least = latent_use(codes, log_variances)
  return use < least


def is_deterministic(log_variances: npt.ArrayLike) -> bool:
  """Whether these are what the export of a deterministic encoder gives."""
  return np.max(log_variances) < _DETERMINISTIC
