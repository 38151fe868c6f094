"""The one exception that is meant for people, and what its message may suggest."""

import difflib


class UserError(ValueError):
  """A mistake the user can mend; the message is one line that says how.

  The commands print it without a traceback and exit with code 2.
  """


def suggest(name, known):
  """A question naming the nearest of the `known` names, or nothing."""
  near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
  return f"; did you mean {near[0]!r}?" if near else ""
