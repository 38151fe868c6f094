"""The one exception that is meant for people."""


class UserError(ValueError):
  """A mistake the user can mend; the message is one line that says how.

  The commands print it without a traceback and exit with code 2.
  """
