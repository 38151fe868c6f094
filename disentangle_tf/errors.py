"""`UserError` and `ModelError`, with one-line messages, and suggestions of names."""

import difflib
from collections.abc import Iterable


class UserError(ValueError):
  """A mistake the user can fix; the message is one line that says how.

  The commands print it without a traceback and exit with code 2.

  Example:
    >>> import disentangle_tf as dtf
    >>> try:
    ...   dtf.data.XYSquares(num_squares=4)
    ... except dtf.UserError as error:
    ...   print(error)
    XYSquares.num_squares is 4: it must be 1, 2 or 3
  """


class ModelError(UserError):
  """A model is refused, is damaged or misbehaves; the commands exit with code 3.

  Example:
    >>> import disentangle_tf as dtf
    >>> issubclass(dtf.ModelError, dtf.UserError)
    True
  """

  exit_code = 3


def suggest(name: str, known: Iterable[str]) -> str:
  """Return "; did you mean ...?" with the nearest `known` name, or an empty string."""
  near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
  return f"; did you mean {near[0]!r}?" if near else ""
