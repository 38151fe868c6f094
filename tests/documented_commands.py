"""Commands and programs of the documents, taken from them as they stand.

A block of the shell is run by bash with programs in the place of python, tensorboard
and the like that only record how they were called. So loops, variables and quotes mean
what they mean to a reader, and a test can do with each call what it likes.
"""

import dataclasses
import importlib
import os
import pathlib
import re
import shlex
import subprocess
import textwrap

from command_calls import ROOT, call

from disentangle_tf.commands import command_line, study_configuration
from disentangle_tf.commands.gin_configuration import read_configuration, read_for
from disentangle_tf.commands.metric_settings import plan_text

# Documents with commands for a user; CHANGELOG.md speaks of earlier versions.
DOCUMENTS = sorted(
  path.relative_to(ROOT).as_posix()
  for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]
)
# The commands themselves: examples in the text of --help.
PROGRAMS = sorted(
  path.relative_to(ROOT).as_posix()
  for path in (ROOT / "disentangle_tf" / "commands").glob("*.py")
  if (ROOT / "bin" / path.name).exists()
)

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^  python bin/(?:.*\\\n)*.*", re.MULTILINE)
_INLINE = re.compile(r"`(python b[^`]+)`")
_RECORDER = """#!/bin/sh
printf '%s\\0' "$(basename "$0")" "$@" >> "$RECORDED"
printf '\\036' >> "$RECORDED"
"""
_RECORDED_PROGRAMS = ("python", "tensorboard", "kubectl", "pip")


@dataclasses.dataclass(frozen=True)
class Block:
  """A fenced block, or the examples of a command's help.

  Attributes:
    file: path from the root of the repository.
    line: of its fence.
    language: after the fence.
    text: without the indentation.
  """

  file: str
  line: int
  language: str
  text: str


@dataclasses.dataclass(frozen=True)
class Call:
  """A program and its arguments, as bash started it.

  Attributes:
    block: the `Block` that it stands in.
    words: program and arguments; without `python` for a program of ours.
  """

  block: Block
  words: tuple

  @property
  def program(self):
    """Such as bin/train.py, bin/demo or tensorboard."""
    return self.words[0]

  @property
  def text(self):
    """For messages, and for the tables of tests."""
    return shlex.join(self.words)


def blocks(file, language):
  """[`Block`] of a document in one language, in order; "inline" is within a text."""
  text = (ROOT / file).read_text(encoding="utf-8")
  if language == "inline":
    return [_inline(file, text, found) for found in _INLINE.finditer(text)]
  if file.endswith(".py"):
    examples = "\n".join(_EXAMPLE.findall(text))
    return [Block(file, 1, "sh", textwrap.dedent(examples))]
  return [
    Block(file, text[: found.start()].count("\n") + 1, found[2], _dedent(found))
    for found in _FENCE.finditer(text)
    if found[2] == language
  ]


def _inline(file, text, found):
  """A command within a sentence, on one line, with ... standing for a folder."""
  line = text[: found.start()].count("\n") + 1
  return Block(file, line, "inline", " ".join(found[1].replace("...", "x").split()))


def _dedent(found):
  indent = found[1]
  return "".join(
    line.removeprefix(indent) for line in found[3].splitlines(keepends=True)
  )


def lay_out(folder):
  """Makes `folder` look like the root of the repository, with an environment."""
  (folder / "gin").symlink_to(ROOT / "gin")
  (folder / "bin").mkdir()
  for path in (ROOT / "bin").iterdir():
    if path.suffix == ".py":
      (folder / "bin" / path.name).symlink_to(path)
    elif path.is_file():
      _write_recorder(folder / "bin" / path.name)
  programs = folder / ".venv" / "bin"
  programs.mkdir(parents=True)
  (programs / "activate").touch()
  for name in _RECORDED_PROGRAMS:
    _write_recorder(programs / name)


def _write_recorder(path):
  path.write_text(_RECORDER)
  path.chmod(0o755)


def recorded_calls(block, folder, *, shorter=()):
  """[`Call`] that bash makes of a block, in `folder` as `lay_out` left it.

  Args:
    block: the `Block`.
    folder: where it runs; files that the block itself writes are there afterwards.
    shorter: [(text, text that takes its place)], for loops.
  """
  text = block.text
  for old, new in shorter:
    text = text.replace(old, new)
  recorded = folder / "recorded"
  recorded.unlink(missing_ok=True)
  finished = subprocess.run(
    ["bash", "-eu", "-c", text],
    cwd=folder,
    env={
      "PATH": f"{folder / '.venv' / 'bin'}:/usr/bin:/bin",
      "RECORDED": str(recorded),
      "HOME": str(folder),
    },
    capture_output=True,
    text=True,
    timeout=60,
  )
  where = f"{block.file}:{block.line}"
  assert finished.returncode == 0, f"{where}: {finished.stderr}"
  if not recorded.exists():
    return []
  found = []
  for each in recorded.read_text().split("\036")[:-1]:
    program, *words = each.split("\0")[:-1]
    if program == "python":
      program, *words = words
    elif (ROOT / "bin" / program).exists():
      program = f"bin/{program}"
    found.append(Call(block, (program, *words)))
  return found


def parsed_flags(call):
  """(values, words) of the flags of a call of bin/NAME.py, by its own parser."""
  found = []

  def parse_only(command, values, description, *, takes_words=False):
    left_over = values(["command", *call.words[1:]])[1:]
    assert takes_words or not left_over, f"{call.text}: {left_over}"
    found.extend([values, left_over])

  run = command_line.run
  command_line.run = parse_only
  try:
    module_of(call).main()
  finally:
    command_line.run = run
  return found


def module_of(call):
  """The module behind bin/NAME.py."""
  name = pathlib.Path(call.program).stem
  return importlib.import_module(f"disentangle_tf.commands.{name}")


# What gin files and bindings of a command are for, and the macros that it reads.
_LOOKING = {
  "evaluate": ("evaluation.evaluate", {"data": "DATA"}),
  "perceive": ("perceived.perceive", {"data": "DATA", "loss": "LOSS"}),
  "visualize": ("pictures.visualize", {"data": "DATA", "loss": "LOSS"}),
  "manipulate": ("adversary.write_control", {"data": "DATA"}),
}


def check_call(call):
  """Parses flags, and reads gin files and bindings; fails where a user would fail."""
  module, name = module_of(call), pathlib.Path(call.program).stem
  values, words = parsed_flags(call)
  if name == "study":
    _check_study(values, words[0] if words else "run")
  elif name == "prepare_data":
    module._parsed(words)
  elif name == "train" or (name == "manipulate" and not values.data):
    default = [] if name == "train" else [module._EXAMPLE]
    files = values.gin_file or default
    if name == "train" and values.cpu_size:
      files = module.at_cpu_size(files)
    read_configuration(files, values.gin_bindings)
  else:
    function, macros = _LOOKING[name]
    files, bindings = values.gin_file, values.gin_bindings
    if name == "evaluate":
      files, bindings = module.files_and_bindings(values)
    elif name == "manipulate":
      files = files or [module._EXAMPLE_OF_CONTROL]
    read_for(
      function,
      files=files,
      bindings=bindings,
      data=values.data,
      macros=macros,
    )


def _check_study(values, action):
  """A study is planned, and each of its runs is read, of one seed and one setting."""
  assert action in importlib.import_module("disentangle_tf.commands.study")._ACTIONS
  if action in ("run", "plan"):
    found, _ = study_configuration.read_study(values.gin_file, values.gin_bindings)
    plans = found.plans(plan_text)
    for plan in {(plan.method, plan.data): plan for plan in plans}.values():
      read_configuration(plan.files, plan.bindings)
  elif action == "plot" and (values.gin_file or values.figure):
    study_configuration.read_plots(values.gin_file, values.gin_bindings, values.figure)
  elif action != "collect" or not values.from_dlib:
    assert values.output_dir


def run_call(call_, folder, further=()):
  """Runs a call of bin/NAME.py to its end, in this process; its exit code."""
  before = os.getcwd()
  os.chdir(folder)
  try:
    return call(module_of(call_).main, *call_.words[1:], *further)
  finally:
    os.chdir(before)
