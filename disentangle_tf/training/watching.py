"""Settings of what TensorBoard shows of a run, and how often."""

from __future__ import annotations

import dataclasses

from disentangle_tf.argument_checks import check_count, check_truth


@dataclasses.dataclass(frozen=True)
class Watching:
  """What TensorBoard shows of a run of `train`.

  Args:
    log_every: steps between two entries of losses, divergences and speed.
    pictures_every: steps between two entries of reconstructions and traversals.
    distances: show distances between factors, images, codes and reconstructions, and
      their agreement, every `pictures_every` steps; the factors must be a whole grid.
    trace_graph: record the graph of the training step.
    profile: record a profile of some steps.

  Raises:
    UserError: for a value of another kind.

  Example:
    >>> from disentangle_tf import training
    >>> training.Watching(log_every=10).pictures_every
    1000
  """

  log_every: int = 100
  pictures_every: int = 1000
  distances: bool = False
  trace_graph: bool = False
  profile: bool = False

  def __post_init__(self) -> None:
    check_count(
      "Watching", log_every=self.log_every, pictures_every=self.pictures_every
    )
    check_truth(
      "Watching",
      distances=self.distances,
      trace_graph=self.trace_graph,
      profile=self.profile,
    )
