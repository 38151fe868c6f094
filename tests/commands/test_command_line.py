import logging
import os
import signal
import subprocess
import sys

import pytest
from command_calls import QUICK, binding_flags, call

from disentangle_tf.commands import command_line, train
from disentangle_tf.errors import ModelError, UserError


@pytest.fixture
def signals():
  """What a command does with signals is undone."""
  before = {
    number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)
  }
  yield
  for number, handler in before.items():
    signal.signal(number, handler)


def _run(error=None, words=(), **options):
  """Exit code of a command that raises; what it was called with."""
  seen = []

  def mine(*arguments):
    seen.append(arguments)
    if error is not None:
      raise error

  def main():
    command_line.run(mine, command_line.output_flags(), "Does it.\n", **options)

  return call(main, *words), seen


@pytest.mark.parametrize(
  ("error", "code", "line"),
  [
    (None, 0, ""),
    (UserError("beta is -1"), 2, "mine: error: beta is -1\n"),
    (ModelError("the file is damaged"), 3, "mine: error: the file is damaged\n"),
    (OSError(28, "No space left on device"), 2, "mine: error: No space left on device"),
    (KeyboardInterrupt(), 130, "mine: stopped\n"),
    (UserError("a \x1b[2J b"), 2, "mine: error: a \\x1b[2J b\n"),
  ],
)
def test_what_goes_wrong_is_one_line_and_an_exit_code(
  error, code, line, signals, capsys
):
  found, _ = _run(error)
  shown = capsys.readouterr()
  assert found == code and shown.out == ""
  assert shown.err.startswith(line) and shown.err.count("\n") == (code > 0)


def test_a_fault_of_ours_is_a_traceback(signals):
  with pytest.raises(ZeroDivisionError):
    _run(ZeroDivisionError())


@pytest.mark.parametrize(
  ("message", "printed"),
  [
    ("add resume=True or overwrite=True", "add --resume or --overwrite"),
    ("choose the data set (data=...)", "choose the data set (--data ...)"),
    ("set untrusted=True", "set untrusted=True"),
  ],
)
def test_arguments_in_messages_are_printed_as_flags(message, printed, signals, capsys):
  assert _run(UserError(message))[0] == 2
  assert printed in capsys.readouterr().err


def test_flags_and_words(signals, capsys):
  code, seen = _run(words=["--output_dir", "here", "--overwrite"])
  ((values,),) = seen
  assert code == 0 and (values.output_dir, values.overwrite) == ("here", True)
  assert _run(words=["prepare"]) == (2, [])
  assert (
    "what does 'prepare' mean? every setting is a --flag" in capsys.readouterr().err
  )
  _, seen = _run(words=["prepare", "--overwrite", "cars3d"], takes_words=True)
  assert seen[0][1] == ["prepare", "cars3d"]
  assert _run(words=["--outputdir", "x"]) == (2, [])


def test_a_flag_that_must_be_given(signals):
  values = command_line.gin_flags()
  values(["command", "--output_dir", "x"])
  assert command_line.required(values, "output_dir") == "x"
  with pytest.raises(
    UserError, match="^--gin_file is missing; --help lists the flags$"
  ):
    command_line.required(values, "gin_file")


def test_help(capsys):
  assert call(train.main, "--help") == 0
  text = capsys.readouterr().out
  assert "--gin_bindings" in text and "--[no]resume" in text


def test_traceback_shows_where_a_mistake_was_noticed(capfd):
  assert call(train.main, *QUICK, "--dry_run", *binding_flags("BETA=-1")) == 2
  assert "Traceback" not in capfd.readouterr().err
  assert (
    call(train.main, *QUICK, "--dry_run", "--traceback", *binding_flags("BETA=-1")) == 2
  )
  shown = capfd.readouterr().err
  assert "Traceback" in shown and "check_coefficient" in shown


def test_a_reader_who_leaves_costs_no_traceback():
  reads, writes = os.pipe()
  os.close(reads)
  words = [sys.executable, "-m", "disentangle_tf.commands.study", "--help"]
  found = subprocess.run(words, stdout=writes, stderr=subprocess.PIPE, check=False)
  os.close(writes)
  assert found.returncode == 141 and found.stderr == b""


def test_what_the_package_logs_is_printed_while_a_command_runs(capsys):
  logger = logging.getLogger("disentangle_tf.training")
  with command_line.logged_to_terminal():
    logger.info("step %d", 3)
    logger.warning("skipped")
    logger.debug("not shown")
  logger.warning("after the command")
  shown = capsys.readouterr()
  assert shown.out == "step 3\nskipped\n"
  assert logging.getLogger("disentangle_tf").propagate
