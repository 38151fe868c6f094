"""The metrics that a command or a study names: a protocol, or a gin file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.errors import UserError, suggest

_SETTING = "evaluation.evaluate.measurements"


def metric_settings(metrics: str) -> tuple[list[str], list[str]]:
  """The (gin files, gin bindings) that set the metrics.

  Args:
    metrics: name of a protocol, such as "fast", or a gin file that sets
      `evaluation.evaluate.measurements`, whose name ends in .gin.
  """
  return ([metrics], []) if _is_file(metrics) else ([], [protocol_binding(metrics)])


def protocol_binding(name: str) -> str:
  """The gin binding that measures the protocol `name`; an error if there is none."""
  known = protocol_names()
  if name not in known:
    raise UserError(
      f"there is no protocol {name!r}{suggest(name, known)} "
      f"(the protocols are {', '.join(known)}; a gin file of your own ends in .gin)"
    )
  return _binding(name)


def protocol_names() -> list[str]:
  """Names of all protocols of `scoring.protocols`, in lower case."""
  from disentangle_tf.scoring import protocols

  return sorted(
    name.lower() for name in vars(protocols) if name.isupper() and name[0] != "_"
  )


def plan_text(names: Iterable[str]) -> str:
  """The text of a run's gin files, or of its metrics, see `plan_study`.

  Args:
    names: gin files, or the name of a protocol, which need not exist.
  """
  return "\n".join(
    gin_text([name]) if _is_file(str(name)) else _binding(name) for name in names
  )


def _is_file(metrics: str) -> bool:
  return not re.fullmatch(r"\w+", metrics)


def _binding(name: str) -> str:
  return f"{_SETTING} = %protocols.{name.upper()}"
