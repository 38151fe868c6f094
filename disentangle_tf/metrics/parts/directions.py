"""Directions of scores: each metric states whether higher or lower is better.

  @higher_is_better("elbo")
  @lower_is_better("reconstruction_error", "kl")
  def evidence(codes, log_variances): ...

Tables show an arrow beside such scores and mark the best. A * in a name stands for what
an option adds to it: "accuracy_*" is accuracy_10, accuracy_100 and so on.
"""

import fnmatch
from collections.abc import Callable
from typing import TypeVar

Metric = TypeVar("Metric", bound=Callable[..., dict[str, float]])

HIGHER, LOWER, NEITHER = "higher", "lower", "neither"


def higher_is_better(*names: str) -> Callable[[Metric], Metric]:
  """A decorator of a metric: its scores of these names are better when higher."""
  return _stating(HIGHER, names)


def lower_is_better(*names: str) -> Callable[[Metric], Metric]:
  """A decorator of a metric: its scores of these names are better when lower."""
  return _stating(LOWER, names)


def neither_is_better(*names: str) -> Callable[[Metric], Metric]:
  """A decorator of a metric: its scores of these names, such as counts, only inform."""
  return _stating(NEITHER, names)


def direction_of(metric: Callable, score: str) -> str | None:
  """HIGHER, LOWER or NEITHER is better; None if the metric does not state it."""
  for name, direction in getattr(metric, "directions", {}).items():
    if fnmatch.fnmatchcase(score, name):
      return direction
  return None


def _stating(direction: str, names: tuple[str, ...]) -> Callable[[Metric], Metric]:
  def state(metric: Metric) -> Metric:
    known = getattr(metric, "directions", {})
    setattr(metric, "directions", {**known, **dict.fromkeys(names, direction)})  # noqa: B010
    return metric

  return state
