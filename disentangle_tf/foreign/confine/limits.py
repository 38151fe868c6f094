"""Limits of the memory, time and sizes that a stranger's model may take."""

import dataclasses
import math

from disentangle_tf.errors import ModelError, UserError


@dataclasses.dataclass(frozen=True)
class Limits:
  """Bounds of what a model, or what is done with it, may take.

  Args:
    memory_gib: its memory in all.
    seconds: to load, and to answer once.
    cpu_seconds: its computing in all.
    total_seconds: to load and for all its answers together.
    latents: numbers in a code, of a model or of arrays.
    image_numbers: height x width x channels of the images.
    metric_seconds: for one metric; one that takes longer is left out, with the reason.
    codes_gib: the codes that a metric asks for at a time, or the images or Jacobians of
      a decoder; if there are more, likewise.
  """

  memory_gib: float = 8.0
  seconds: float = 120.0
  cpu_seconds: float = 4 * 3600.0
  total_seconds: float = 4 * 3600.0
  latents: int = 4096
  image_numbers: int = 2**20
  metric_seconds: float = 3600.0
  codes_gib: float = 0.5

  def __post_init__(self):
    for name, value in dataclasses.asdict(self).items():
      if not 0 < value < math.inf:
        raise UserError(f"--limit_{name} is {value}: it must be above 0")

  def check_latents(self, count):
    """Raises a `ModelError` if codes of so many numbers are too wide."""
    if count > self.latents:
      raise ModelError(
        f"codes of {count:,} numbers: at most {self.latents:,} are taken "
        "(--limit_latents)"
      )
