"""What a stranger's model may use up."""

import dataclasses

from disentangle_tf.configuration import check_positive


@dataclasses.dataclass(frozen=True)
class Limits:
  """Args: memory_gib in all; seconds to load or to answer once; cpu_seconds in all."""

  memory_gib: float = 8.0
  seconds: float = 120.0
  cpu_seconds: float = 4 * 3600.0

  def __post_init__(self):
    check_positive("limits", **dataclasses.asdict(self))
