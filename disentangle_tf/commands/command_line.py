"""Flags that the commands share, and what a user sees when something is wrong."""

import contextlib
import logging
import os
import signal
import sys
import traceback

from absl import flags

from disentangle_tf.commands.disk_errors import explain_disk
from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.errors import UserError
from disentangle_tf.strangers_text import printable

_LONGEST = 4_000  # characters of an error


def basic_flags():
  """New flags, with those that every command has."""
  values = flags.FlagValues()
  flags.DEFINE_bool(
    "help", False, "Print this text.", short_name="h", flag_values=values
  )
  flags.DEFINE_bool(
    "traceback",
    False,
    "After a mistake, also print where in the code it was noticed.",
    flag_values=values,
  )
  return values


def output_flags():
  """New flags, with those that every command with an output folder has."""
  values = basic_flags()
  flags.DEFINE_string(
    "output_dir", None, "Folder for all that is written.", flag_values=values
  )
  flags.DEFINE_bool(
    "overwrite",
    False,
    "Move an existing output_dir aside (it is never deleted).",
    flag_values=values,
  )
  return values


def gin_flags():
  """New flags, with those that every command with a configuration has."""
  values = output_flags()
  flags.DEFINE_multi_string(
    "gin_file",
    [],
    "Configuration file; may be given several times, later ones win. Shipped files are "
    "found as gin/... from any folder.",
    flag_values=values,
  )
  flags.DEFINE_multi_string(
    "gin_bindings",
    [],
    "A setting that overrides the files, such as BETA=4 or training.train.steps=100; "
    "may be given several times.",
    flag_values=values,
  )
  return values


def training_flags():
  """New flags, with those that every command that trains has."""
  values = gin_flags()
  flags.DEFINE_bool(
    "resume", False, "Go on from the newest checkpoint.", flag_values=values
  )
  return values


def run(command, values, description, *, takes_words=False):
  """Parses sys.argv, calls `command(values)`, and exits.

  With `takes_words`, the words that belong to no flag are its second argument.
  A user's mistake or a full disk costs one line and exit code 2, a bad model one and
  code 3; Ctrl-C or SIGTERM, code 130; a reader of the output who leaves, code 141. An
  error of ours is a traceback and code 1.
  """
  name = command.__name__
  for stream in (sys.stdout, sys.stderr):  # of names that have no letters here
    stream.reconfigure(errors="backslashreplace")
  signal.signal(signal.SIGTERM, signal.default_int_handler)  # a scheduler's Ctrl-C
  try:
    left_over = values(sys.argv)[1:]
    if values["help"].value:
      print(f"{description.strip()}\n\nFlags:\n{values.get_help()}", flush=True)
      sys.exit(0)
    if left_over and not takes_words:
      raise UserError(f"what does {left_over[0]!r} mean? every setting is a --flag")
    with logged_to_terminal():
      command(values, left_over) if takes_words else command(values)
    sys.stdout.flush()
  except KeyboardInterrupt:
    for number in (signal.SIGINT, signal.SIGTERM):
      signal.signal(number, signal.SIG_IGN)  # the next one has nothing to stop
    print(f"{name}: stopped", file=sys.stderr)
    sys.exit(130)
  except BrokenPipeError:  # of a reader such as head, who has seen enough
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)  # as if by SIGPIPE
  except Exception as error:
    message = explain(error) or explain_disk(error)
    if message is None:
      raise
    if values["traceback"].value:
      traceback.print_exc()
    print(f"{name}: error: {printable(message, longest=_LONGEST)}", file=sys.stderr)
    sys.exit(getattr(error, "exit_code", 2))


@contextlib.contextmanager
def logged_to_terminal():
  """Print what this package logs, from level INFO up, to standard output meanwhile."""
  logger, handler = logging.getLogger("disentangle_tf"), _Terminal()
  before = logger.level, logger.propagate
  logger.addHandler(handler)
  logger.setLevel(logging.INFO)
  logger.propagate = False  # or a handler of another library would print it again
  try:
    yield
  finally:
    logger.setLevel(before[0])
    logger.propagate = before[1]
    logger.removeHandler(handler)


class _Terminal(logging.Handler):
  """Prints each message; a reader of the output who leaves is noticed as by print."""

  def emit(self, record):
    print(self.format(record), flush=True)


def required(values, name):
  """The value of a flag that must be given."""
  value = values[name].value
  if not value:
    raise UserError(f"--{name} is missing; --help lists the flags")
  return value
