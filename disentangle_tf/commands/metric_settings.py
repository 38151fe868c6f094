"""The metrics that a command or a study names: a protocol, or a gin file."""

import re

from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.errors import UserError, suggest

_SETTING = "evaluation.evaluate.measurements"


def metric_settings(metrics):
  """Turn metrics into what gin reads: (gin files, gin bindings).

  Args:
    metrics: name of a protocol, such as "fast", or a gin file that sets
      `evaluation.evaluate.measurements`, whose name ends in .gin.
  """
  return ([metrics], []) if _is_file(metrics) else ([], [protocol_binding(metrics)])


def protocol_binding(name):
  """The gin binding that measures the protocol `name`, which must exist."""
  known = protocol_names()
  if name not in known:
    raise UserError(
      f"there is no protocol {name!r}{suggest(name, known)} "
      f"(there are {', '.join(known)}; a gin file of your own ends in .gin)"
    )
  return _binding(name)


def protocol_names():
  """Names of all protocols: those of `scoring.protocols`, in lower case."""
  from disentangle_tf.scoring import protocols

  return sorted(
    name.lower() for name in vars(protocols) if name.isupper() and name[0] != "_"
  )


def plan_text(names):
  """The text of a run's gin files, or of its metrics, see `plan_study`.

  Args:
    names: gin files, or the name of a protocol. A protocol is not looked up.
  """
  return "\n".join(
    gin_text([name]) if _is_file(str(name)) else _binding(name) for name in names
  )


def _is_file(metrics):
  return not re.fullmatch(r"\w+", metrics)


def _binding(name):
  return f"{_SETTING} = %protocols.{name.upper()}"
