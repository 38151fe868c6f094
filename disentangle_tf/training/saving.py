"""Settings of how often checkpoints are written, and how many are kept."""

from __future__ import annotations

import dataclasses

from disentangle_tf.argument_checks import check_count


@dataclasses.dataclass(frozen=True)
class Saving:
  """Which checkpoints `train` writes.

  Args:
    checkpoint_every: steps between two checkpoints.
    keep_checkpoints: number of checkpoints to keep, the newest ones.

  Raises:
    UserError: unless both are whole numbers from 1 up.

  Example:
    >>> from disentangle_tf import training
    >>> training.Saving(checkpoint_every=10_000).keep_checkpoints
    3
  """

  checkpoint_every: int = 1000
  keep_checkpoints: int = 3

  def __post_init__(self) -> None:
    check_count(
      "Saving",
      checkpoint_every=self.checkpoint_every,
      keep_checkpoints=self.keep_checkpoints,
    )
