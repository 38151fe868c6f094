"""What a stranger's model may use up."""

import dataclasses
import math

from disentangle_tf.errors import UserError


@dataclasses.dataclass(frozen=True)
class Limits:
  """Args: memory_gib in all; seconds to load or to answer once; cpu_seconds in all."""

  memory_gib: float = 8.0
  seconds: float = 120.0
  cpu_seconds: float = 4 * 3600.0

  def __post_init__(self):
    for name, value in dataclasses.asdict(self).items():
      if not 0 < value < math.inf:
        raise UserError(f"--limit_{name} is {value}: it must be above 0")
