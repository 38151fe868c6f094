"""Which scores are better when lower, as their metrics state it."""

from __future__ import annotations

import fnmatch
import functools
from typing import Any

from disentangle_tf import metrics
from disentangle_tf.metrics.parts.directions import LOWER
from disentangle_tf.studies.training_names import plain_name


@functools.cache
def lower_is_better(score: str) -> bool:
  """Whether a score of this name is better when lower.

  The name may have a measurement's prefix, and settings behind it, as `TrainingNames`
  gives them. If no metric states it, higher is better.
  """
  score, found = plain_name(score), []
  for public in metrics.__all__:
    directions = getattr(getattr(metrics, public), "directions", {})
    for name, direction in directions.items():
      if fnmatch.fnmatchcase(score, name) or fnmatch.fnmatchcase(score, f"*_{name}"):
        found.append((len(name), direction))  # the longest name is the nearest
  return bool(found) and max(found)[1] == LOWER


def merit(score: str, value: Any) -> Any:
  """A number that is higher the better `value` of a score of this name is."""
  return -value if lower_is_better(score) else value
