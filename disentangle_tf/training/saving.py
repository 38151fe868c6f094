"""How often checkpoints are written, and how many are kept."""

import dataclasses

from disentangle_tf.argument_checks import check_count


@dataclasses.dataclass(frozen=True)
class Saving:
  """Which checkpoints `train` writes.

  Args:
    checkpoint_every: steps between two checkpoints.
    keep_checkpoints: how many of the newest stay.

  Example:
    train(..., saving=Saving(checkpoint_every=10_000))
  """

  checkpoint_every: int = 1000
  keep_checkpoints: int = 3

  def __post_init__(self):
    check_count(
      "Saving",
      checkpoint_every=self.checkpoint_every,
      keep_checkpoints=self.keep_checkpoints,
    )
