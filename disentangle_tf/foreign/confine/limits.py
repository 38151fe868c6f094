"""Limits of memory, time and sizes for foreign models."""

import dataclasses
import math

from disentangle_tf.errors import ModelError, UserError


@dataclasses.dataclass(frozen=True)
class Limits:
  """Limits for a foreign model and for its evaluation.

  Args:
    memory_gib: memory of its process, in GiB.
    seconds: time to load, and time for one answer.
    cpu_seconds: computing time in total, over all cores.
    total_seconds: time to load and for all its answers together.
    latents: numbers in a code, of a model or of arrays.
    image_numbers: height x width x channels of the images.
    metric_seconds: time for one metric; a metric that takes longer is skipped.
    codes_gib: codes that a metric asks for at a time, or images or Jacobians of a
      decoder, in GiB; a metric that needs more is skipped.

  Raises:
    UserError: a limit is not positive and finite.

  Example:
    >>> from disentangle_tf import foreign
    >>> limits = foreign.Limits(memory_gib=2, seconds=30)
    >>> limits.memory_gib, limits.latents
    (2, 4096)
  """

  memory_gib: float = 8.0
  seconds: float = 120.0
  cpu_seconds: float = 4 * 3600.0
  total_seconds: float = 4 * 3600.0
  latents: int = 4096
  image_numbers: int = 2**20
  metric_seconds: float = 3600.0
  codes_gib: float = 0.5

  def __post_init__(self) -> None:
    for name, value in dataclasses.asdict(self).items():
      if not 0 < value < math.inf:
        raise UserError(f"--limit_{name} is {value}: it must be above 0")

  def check_latents(self, count: int) -> None:
    """Raise a `ModelError` if codes of `count` numbers are too wide."""
    if count > self.latents:
      raise ModelError(
        f"codes of {count:,} numbers: at most {self.latents:,} are allowed "
        "(--limit_latents)"
      )
