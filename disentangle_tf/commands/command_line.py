"""What all commands share: flags, start-up, errors and the next command."""

from __future__ import annotations

import contextlib
import errno
import io
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
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from absl import flags

from disentangle_tf.commands.gin_errors import explain
from disentangle_tf.commands.gin_files import gin_text
from disentangle_tf.errors import UserError
from disentangle_tf.half_precision import HALF_PRECISIONS, cap_instructions
from disentangle_tf.keras_imports import without_wrapped_packages
from disentangle_tf.output_files import check_output_dir
from disentangle_tf.text import printable

_ADVICE = {
  errno.ENOSPC: "free some space",
  errno.EDQUOT: "free some space",
  errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
  errno.EROFS: "name another folder",
  errno.EACCES: "name another folder, or get write permission",
}


def explain_disk(error: BaseException) -> str | None:
  """Explain in one line why the disk refused; None for any other error.

  TensorFlow's errors have no error number, only the operating system's words.
  """
  kinds = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
  if not (isinstance(error, OSError) or "tensorflow" in kinds):
    return None
  text = " ".join(str(error).split())
  if "No usable temporary directory" in text:
    return (
      "there is no folder for temporary files: set TMPDIR to a folder with free space"
    )
  for number, advice in _ADVICE.items():
    words = os.strerror(number)
    if words in text:
      path = re.search(rf"(/[^{{}}]*); {words}|{words}: '(.+?)'", text)
      place = f" ({path.group(1) or path.group(2)})" if path else ""
      return f"{words}{place}: {advice}, and run this again"
  return None


def next_command(name: str, *words: object) -> str:
  """A shell command that runs the command `name` in the way this one was run."""
  return shlex.join([*_program(name), *map(str, words)])


def _program(name: str) -> list[str]:
  """The words that start a command from the current folder."""
  program = pathlib.Path(sys.argv[0])
  if program.name.startswith("dtf_"):
    installed = program.with_name(f"dtf_{name}")
    return [_shortest(installed)]
  python = _shortest(sys.executable)
  if program.suffix == ".py" and program.parent.name == "bin":
    return [python, str(program.with_name(f"{name}.py"))]
  return [python, "-m", f"disentangle_tf.commands.{name}"]


def _shortest(path: str | pathlib.Path) -> str:
  """The bare name of a program if the shell finds this file by it, else its path."""
  path = pathlib.Path(path)
  found = shutil.which(path.name)
  return path.name if found and pathlib.Path(found).absolute() == path else str(path)


def start_tensorflow(files: Iterable[str] = (), bindings: Iterable[str] = ()) -> None:
  """Import TensorFlow, and let its devices allocate memory as needed.

  Its C++ libraries write to the error stream before any log level applies, so the
  stream is redirected meanwhile. If the start fails, everything is shown.

  Args:
    files, bindings: gin files and bindings of the trainings of this process. If they
      name a half precision, the CPU's instructions for it are tried first.
  """
  files, bindings = list(files), list(bindings)
  cap_instructions(_named_precisions(files, bindings))
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
  with _errors_set_aside(), without_wrapped_packages():
    import tensorflow_probability as tfp  # which imports TensorFlow

    if files or bindings:  # a training, which needs them; they import tf-keras
      _ = tfp.distributions.Normal

    from disentangle_tf.training import devices

    devices.allow_memory_growth()


def _named_precisions(files: Iterable[str], bindings: Iterable[str]) -> list[str]:
  text = "\n".join(bindings)
  for file in files:
    with contextlib.suppress(UserError, OSError):  # reported when the file is parsed
      text += gin_text([file])
  return [precision for precision in HALF_PRECISIONS if precision in text]


@contextlib.contextmanager
def _errors_set_aside() -> Iterator[None]:
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


def basic_flags() -> flags.FlagValues:
  """New flags, with those of every command."""
  values = flags.FlagValues()
  flags.DEFINE_bool(
    "help", False, "Print this text.", short_name="h", flag_values=values
  )
  flags.DEFINE_bool(
    "traceback",
    False,
    "With an error, also print the traceback.",
    flag_values=values,
  )
  return values


def output_flags() -> flags.FlagValues:
  """New flags, with those of every command that has an output folder."""
  values = basic_flags()
  flags.DEFINE_string("output_dir", None, "Output folder.", flag_values=values)
  flags.DEFINE_bool(
    "overwrite",
    False,
    "Move an existing output_dir aside; it is never deleted.",
    flag_values=values,
  )
  return values


def gin_flags() -> flags.FlagValues:
  """New flags, with those of every command that has a configuration."""
  values = output_flags()
  flags.DEFINE_multi_string(
    "gin_file",
    [],
    "Configuration file; later files win. Shipped files are found as gin/... from any "
    "folder",
    flag_values=values,
  )
  flags.DEFINE_multi_string(
    "gin_bindings",
    [],
    "A setting that overrides the files, such as BETA=4 or training.train.steps=100",
    flag_values=values,
  )
  return values


def training_flags() -> flags.FlagValues:
  """New flags, with those of every command that trains."""
  values = gin_flags()
  flags.DEFINE_bool(
    "resume", False, "Resume from the newest checkpoint.", flag_values=values
  )
  return values


def define_data_flag(values: flags.FlagValues, purpose: str) -> None:
  """Define --data; `purpose` is the first sentence of its help."""
  flags.DEFINE_string(
    "data",
    None,
    f"{purpose}: NAME of gin/data/NAME.gin, or a gin file that sets DATA.",
    flag_values=values,
  )


def run(
  command: Callable[..., Any],
  values: flags.FlagValues,
  description: str | None,
  *,
  takes_words: bool = False,
) -> None:
  """Parse sys.argv, call `command(values)`, and exit.

  Exit codes: 2 for a user's mistake or a full disk, 3 for a bad model, each with one
  line; 130 after Ctrl-C or SIGTERM; 141 if the reader of the output leaves. Any other
  error is a bug: a traceback and code 1.

  Args:
    command: function of the flags.
    values: its flags.
    description: text of --help.
    takes_words: pass the words that are not flags as the second argument of `command`.
  """
  name = command.__name__
  for stream in (sys.stdout, sys.stderr):  # names may have letters it cannot show
    if isinstance(stream, io.TextIOWrapper):
      stream.reconfigure(errors="backslashreplace")
  signal.signal(signal.SIGTERM, signal.default_int_handler)  # a scheduler's Ctrl-C
  try:
    words = values(sys.argv)[1:]
    if values["help"].value:
      print(f"{(description or '').strip()}\n\nFlags:\n{values.get_help()}", flush=True)
      sys.exit(0)
    if words and not takes_words:
      raise UserError(
        f"unexpected argument {words[0]!r}: settings are given as --flags"
      )
    with logged_to_terminal():
      command(values, words) if takes_words else command(values)
    sys.stdout.flush()
  except KeyboardInterrupt:
    _exit_stopped(name)
  except BrokenPipeError:  # the reader, such as head, has ended
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(141)  # as after SIGPIPE
  except Exception as error:
    message = explain(error) or explain_disk(error)
    if message is None:
      raise
    if values["traceback"].value:
      traceback.print_exc()
    print(f"{name}: error: {printable(message, longest=_LONGEST)}", file=sys.stderr)
    sys.exit(getattr(error, "exit_code", 2))


def _exit_stopped(name: str) -> NoReturn:
  for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)  # there is nothing left to stop
  print(f"{name}: stopped", file=sys.stderr)
  sys.exit(130)


@contextlib.contextmanager
def logged_to_terminal() -> Iterator[None]:
  """Print this package's log messages, from level INFO up, to standard output."""
  logger, handler = logging.getLogger("disentangle_tf"), _Terminal()
  before = logger.level, logger.propagate
  logger.addHandler(handler)
  logger.setLevel(logging.INFO)
  logger.propagate = False  # or another library's handler would print them again
  try:
    yield
  finally:
    logger.setLevel(before[0])
    logger.propagate = before[1]
    logger.removeHandler(handler)


class _Terminal(logging.Handler):
  """Prints each message; raises BrokenPipeError if the reader has ended, as print."""

  def emit(self, record: logging.LogRecord) -> None:
    print(self.format(record), flush=True)


def required(values: flags.FlagValues, name: str) -> Any:
  """The value of a flag that must be given."""
  value = values[name].value
  if not value:
    raise UserError(f"--{name} is missing; --help lists the flags")
  return value


def checked_output_dir(values: flags.FlagValues) -> str:
  """The value of --output_dir, where --resume and --overwrite allow writing."""
  output_dir = required(values, "output_dir")
  resume = "resume" in values and values.resume
  check_output_dir(output_dir, resume=resume, overwrite=values.overwrite)
  return output_dir
