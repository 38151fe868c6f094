"""`--cpu_size`: the gin file that shrinks a run to minutes on a CPU."""

from __future__ import annotations

import re
from collections.abc import Sequence

from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.errors import UserError

_USUAL = "gin/runs/cpu_size.gin"
_CHOICE = re.compile(r"""^CPU_SIZE = (?:None|["'](.*)["'])""", re.MULTILINE)


def at_cpu_size(files: Sequence[str]) -> list[str]:
  """Insert the file that makes the run small right after the run's own file.

  A file that the user names after the run, such as one of gin/data, therefore still
  wins. A run's macro CPU_SIZE names the file, or is None if the run is already small;
  the default is gin/runs/cpu_size.gin.

  Args:
    files: gin files, one of which sets `training.train`.

  Returns:
    The gin files, with one more if the run is not small already.
  """
  places = [
    n for n, file in enumerate(files) if "\ntraining.train:" in gin_text([file])
  ]
  if not places:
    raise UserError("--cpu_size needs a run: add --gin_file gin/runs/michlo.gin")
  choices = _CHOICE.findall(gin_text(files))
  if choices and not choices[-1]:
    return list(files)
  after = places[-1] + 1
  return [*files[:after], choices[-1] if choices else _USUAL, *files[after:]]
