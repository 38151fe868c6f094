"""A number of steps as a fraction of the whole training."""

from disentangle_tf.argument_checks import check_count


def first_part(*, steps: int, parts: int) -> int:
  """Number of steps in the first of `parts` equal parts of a training, at least 1.

  A threshold or a schedule written this way in a gin file adapts to any number of
  steps.

  Args:
    steps: steps of the whole training.
    parts: number of equal parts.

  Returns:
    steps // parts, at least 1.

  Example:
    >>> from disentangle_tf import schedules
    >>> schedules.first_part(steps=1000, parts=3)
    333
  """
  check_count("first_part", steps=steps, parts=parts)
  return max(1, steps // parts)
