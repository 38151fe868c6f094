"""Flags, start-up, errors and the next command: what all commands share."""

import contextlib
import errno
import logging
import os
import pathlib
import re
import shlex
import shutil
import signal
import sys
import tempfile
import traceback

from absl import flags

from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.errors import UserError
from disentangle_tf.half_precision import HALF_PRECISIONS, cap_instructions
from disentangle_tf.text import printable

_ADVICE = {
  errno.ENOSPC: "make room",
  errno.EDQUOT: "make room",
  errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
  errno.EROFS: "name another folder",
  errno.EACCES: "name another folder, or ask for the right",
}


def explain_disk(error):
  """One line about what the disk refuses, or None if `error` is something else.

  TensorFlow's errors tell it by the operating system's words alone.
  """
  kinds = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
  if not (isinstance(error, OSError) or "tensorflow" in kinds):
    return None
  text = " ".join(str(error).split())
  if "No usable temporary directory" in text:
    return "there is no folder for temporary files: set TMPDIR to one, with some room"
  for number, advice in _ADVICE.items():
    words = os.strerror(number)
    if words in text:
      path = re.search(rf"(/[^{{}}]*); {words}|{words}: '(.+?)'", text)
      place = f" ({path.group(1) or path.group(2)})" if path else ""
      return f"{words}{place}: {advice}, and run this again"
  return None


def next_command(name, *words):
  """A line for the shell that runs the command `name` as this one was run."""
  words = [*_program(name), *map(str, words)]
  return shlex.join(words)


def _program(name):
  """Words that start it, from the folder where the user stands."""
  program = pathlib.Path(sys.argv[0])
  if program.name.startswith("dtf_"):
    installed = program.with_name(f"dtf_{name}")
    return [_shortest(installed)]
  python = _shortest(sys.executable)
  if program.suffix == ".py" and program.parent.name == "bin":
    return [python, str(program.with_name(f"{name}.py"))]
  return [python, "-m", f"disentangle_tf.commands.{name}"]


def _shortest(path):
  """The bare name, if the shell finds this very file by it."""
  path = pathlib.Path(path)
  found = shutil.which(path.name)
  return path.name if found and pathlib.Path(found).absolute() == path else str(path)


def start_tensorflow(files=(), bindings=()):
  """Imports TensorFlow and finds its devices; they then take memory as needed.

  Its C++ libraries write to the error stream before any log level is in force, so the
  stream itself is set aside meanwhile; should the start fail, all of it is shown.

  Args:
    files, bindings: gin files and bindings of the trainings of this process. If they
      name a half precision, the CPU's instructions for it are tried first.
  """
  cap_instructions(_named_precisions(files, bindings))
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
  with _errors_set_aside():
    import tensorflow_probability  # noqa: F401  (imports TensorFlow, and tf-keras)

    from disentangle_tf.training import devices

    devices.allow_memory_growth()


def _named_precisions(files, bindings):
  text = "\n".join(bindings)
  for file in files:
    with contextlib.suppress(UserError, OSError):  # told when the file is parsed
      text += gin_text([file])
  return [precision for precision in HALF_PRECISIONS if precision in text]


@contextlib.contextmanager
def _errors_set_aside():
  sys.stderr.flush()
  stream = os.dup(2)
  with tempfile.TemporaryFile() as kept:
    os.dup2(kept.fileno(), 2)
    try:
      yield
    except Exception:
      kept.seek(0)
      os.write(stream, kept.read())
      raise
    finally:
      os.dup2(stream, 2)
      os.close(stream)


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
