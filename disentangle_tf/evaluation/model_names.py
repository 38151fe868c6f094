"""Names of models in a table: short ones, and one for all seeds of a model."""

from __future__ import annotations

import os
import re
import typing
from collections.abc import Iterable, Sequence


def short_names(paths: Iterable[typing.Any]) -> dict[typing.Any, str]:
  """{path: its name without the folders that all paths begin and end with}.

  Example:
    >>> from disentangle_tf.evaluation.model_names import short_names
    >>> short_names(["runs/a/export", "runs/b/export"])
    {'runs/a/export': 'a', 'runs/b/export': 'b'}
  """
  split = {path: str(path).split(os.sep) for path in paths}
  least = min(map(len, split.values()), default=1) - 1  # at least one part remains
  first = min(len(os.path.commonprefix(list(split.values()))), least)
  turned = [parts[first:][::-1] for parts in split.values()]
  last = min(len(os.path.commonprefix(turned)), least - first)
  return {path: os.sep.join(p[first : len(p) - last]) for path, p in split.items()}


def common_name(names: Sequence[str]) -> str:
  """One name for several, with * for the parts that differ."""
  split = [name.split(os.sep) for name in names]
  if len({len(parts) for parts in split}) > 1:
    return f"{names[0]} and {len(names) - 1} more"
  columns = zip(*split, strict=True)
  return os.sep.join(
    parts[0] if len(set(parts)) == 1 else _starred(parts) for parts in columns
  )


def _starred(parts: Sequence[str]) -> str:
  start = os.path.commonprefix(parts)
  rest = [part[len(start) :] for part in parts]
  end = os.path.commonprefix([part[::-1] for part in rest])[::-1]
  return f"{start}*{end}"


def family_of(path: str, result: dict) -> str:
  """A text that all seeds of a model share: its configuration, or its path."""
  family = result.get("model", {}).get("family")
  return family or re.sub(r"seed[_=-]?\d+", "seed_*", str(path))
