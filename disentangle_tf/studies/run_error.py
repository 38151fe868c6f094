"""A run of a study that failed."""


class RunError(Exception):
  """A command of a run ended with an error.

  Attributes:
    command: what was run, as a user would type it.
    exit_code: how it ended.
    last_lines: the end of what it wrote to the error stream.
  """

  def __init__(self, command, exit_code, last_lines):
    super().__init__(f"exit code {exit_code}: {command}")
    self.command = command
    self.exit_code = exit_code
    self.last_lines = last_lines
