"""The command to type next, ready to paste."""

import pathlib
import shlex
import shutil
import sys


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
