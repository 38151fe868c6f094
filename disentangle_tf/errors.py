"""`UserError` and `ModelError`, one line each for people, and suggestions in them."""

import difflib
from collections.abc import Iterable


class UserError(ValueError):
  """A mistake the user can mend; the message is one line that says how.

  The commands print it without a traceback and exit with code 2.
  """


class ModelError(UserError):
  """A model that is refused, damaged, or misbehaves; commands exit with code 3."""

  exit_code = 3


def suggest(name: str, known: Iterable[str]) -> str:
  """A question naming the nearest of the `known` names, or nothing."""
  near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
  return f"; did you mean {near[0]!r}?" if near else ""
