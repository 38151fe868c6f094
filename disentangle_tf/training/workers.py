"""Processes that train together: which one writes, and how they agree."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import tensorflow as tf

from disentangle_tf.errors import UserError

_TRAIN = ("chief", "worker")  # types of tasks that take steps
_LOST = (  # errors of TensorFlow in a collective that cannot finish
  tf.errors.AbortedError,
  tf.errors.CancelledError,
  tf.errors.DeadlineExceededError,
  tf.errors.InternalError,
  tf.errors.UnavailableError,
)


class Workers:
  """Processes that train together, seen from one of them.

  Every worker runs the same program, and a collective finishes only if all workers make
  the same calls in the same order. Therefore they first agree on everything that
  depends on a clock, a signal or a file.

  Args:
    strategy: a `tf.distribute.Strategy`. Only a `MultiWorkerMirroredStrategy` has
      several workers; with all others there is one.

  Attributes:
    several: whether there are other workers.
    is_chief: whether this process is the one that writes files.
  """

  def __init__(self, strategy: tf.distribute.Strategy) -> None:
    resolver = strategy.cluster_resolver
    tasks = resolver.cluster_spec().as_dict() if resolver else {}
    count = sum(len(tasks.get(kind, ())) for kind in _TRAIN)
    # A TPU's resolver also has a cluster, but one process drives it.
    kind = tf.distribute.MultiWorkerMirroredStrategy
    self.several = count > 1 and isinstance(strategy, kind)
    self.is_chief = is_chief(resolver)
    self._strategy = strategy

  def agree(self, stop: bool, count: int) -> tuple[bool, int]:
    """(whether any worker wants to stop, the chief's count), for all workers."""
    if not self.several:
      return stop, count
    stops, count = self._sum(stop, count if self.is_chief else 0)
    return stops > 0, count

  def wait(self) -> None:
    """Return when every worker has called this."""
    if self.several:
      self._sum(0)

  def check_alike(self, name: str, value: int) -> None:
    """Raise a `UserError` in every worker unless all have the same whole number."""
    chiefs = self.agree(False, value)[1]
    if self.agree(value != chiefs, 0)[0]:
      raise UserError(
        f"the workers differ in {name}: here it is {value}, for the chief {chiefs}; "
        "give all workers the same settings and an output_dir that all can read"
      )

  @contextlib.contextmanager
  def losses_reported(self) -> Iterator[None]:
    """Turn TensorFlow's error after the end of another worker into a `UserError`."""
    try:
      yield
    except _LOST as error:
      if not self.several:
        raise
      raise UserError(
        "another worker of this training has ended or cannot be reached: see what it "
        "printed, then start all workers again with resume=True"
      ) from error

  def _sum(self, *numbers: int) -> list[int]:
    """Sums of whole numbers over all workers."""
    added = self._strategy.reduce(
      tf.distribute.ReduceOp.SUM, tf.constant(numbers, tf.int64), axis=None
    )
    return added.numpy().tolist()


def is_chief(resolver: tf.distribute.cluster_resolver.ClusterResolver | None) -> bool:
  """Whether a task writes files: the chief, or without one the first worker.

  Args:
    resolver: a `ClusterResolver`, or None without a cluster.

  Raises:
    UserError: if the task does not train, such as an evaluator.
  """
  if resolver is None or not resolver.task_type:
    return True
  if resolver.task_type not in _TRAIN:
    raise UserError(
      f"TF_CONFIG makes this process a task of type {resolver.task_type!r}, which does "
      "not train: start only the tasks chief and worker"
    )
  has_chief = "chief" in resolver.cluster_spec().jobs
  first = "chief" if has_chief else "worker"
  return (resolver.task_type, resolver.task_id) == (first, 0)
