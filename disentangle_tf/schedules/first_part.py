"""A number of steps as a part of all of them, for a configuration."""

from disentangle_tf.argument_checks import check_count


def first_part(*, steps, parts):
  """Steps of the first of `parts` equal parts of a training, at least 1.

  A threshold or a schedule that is written so in a gin file fits however many steps
  there are.
  """
  check_count("first_part", steps=steps, parts=parts)
  return max(1, steps // parts)
