"""Reading gin files and bindings."""

import contextlib
import inspect
import logging
import pathlib
import re

import gin

import disentangle_tf
from disentangle_tf.commands.gin_errors import ROOMS, explain_parsing, resolve, suggest
from disentangle_tf.errors import UserError

# Bindings on the command line may name any of these, as gin files do by import.
_PREAMBLE = "\n".join(
  [
    "from __gin__ import dynamic_registration",
    "import keras",
    "import tensorflow as tf",
    *(f"from disentangle_tf import {room}" for room in ROOMS),
    "",
  ]
)


def gin_home():
  """The folder that holds the shipped gin/: the checkout, or the installed package."""
  package = pathlib.Path(disentangle_tf.__file__).parent
  return package if (package / "gin").is_dir() else package.parent


def read_configuration(files, bindings):
  """Parses gin files and then bindings; `UserError`s are one line each."""
  gin.clear_config(clear_constants=True)
  _name_protocols()
  with _no_search_messages():
    for file in files:
      with _explained(f"{file}: "):
        gin.parse_config_file(_find(file))
  _check_names(bindings)
  for binding in bindings:
    with _explained(f"--gin_bindings {binding}: "):
      gin.parse_config(_PREAMBLE + binding)
  with _explained(""):
    gin.finalize()


def _name_protocols():
  """Lets gin files say %protocols.STUDY."""
  from disentangle_tf.evaluation import protocols

  for name, value in vars(protocols).items():
    if name.isupper():
      gin.constant(f"protocols.{name}", value)


def configured(function, example):
  """`function` with what the configuration says; `example` is a file that says it."""
  try:
    return gin.get_configurable(function)
  except ValueError as error:
    raise UserError(
      f"nothing in this configuration is for {function.__name__}: add a file such as "
      f"--gin_file {example}"
    ) from error


def shipped(folder):
  """Names of the shipped files gin/`folder`/*.gin, without their ending."""
  return sorted(path.stem for path in (gin_home() / "gin" / folder).glob("*.gin"))


def find_data(name):
  """The gin file of the data set `name`."""
  if name not in shipped("data"):
    raise UserError(
      f"there is no data set {name!r}{suggest(name, shipped('data'))} "
      f"(gin/data has {', '.join(shipped('data'))})"
    )
  return f"gin/data/{name}.gin"


gin.add_config_file_search_path(str(gin_home()))  # for include "gin/..."


def _find(file):
  for candidate in (pathlib.Path(file), gin_home() / file):
    if candidate.is_file():
      return str(candidate)
  if pathlib.Path(file).is_dir():
    raise UserError(f"{file} is a folder: name a gin file")
  known = [
    path.relative_to(gin_home()).as_posix()
    for path in (gin_home() / "gin").rglob("*.gin")
  ]
  raise UserError(f"there is no gin file {file}{suggest(file, known)}")


@contextlib.contextmanager
def _explained(place):
  """Turns what gin raises, which is whatever a file's imports raise, into one line."""
  try:
    yield
  except UserError:
    raise
  except Exception as error:
    raise UserError(place + explain_parsing(error)) from error


@contextlib.contextmanager
def _no_search_messages():
  """gin logs an error for each folder it searches in vain."""
  logging.disable(logging.ERROR)
  try:
    yield
  finally:
    logging.disable(logging.NOTSET)


def _check_names(bindings):
  """Catches the misspelt names that gin lets pass."""
  used = set(re.findall(r"%(\w+)", gin.config_str() + "\n".join(bindings)))
  for binding in bindings:
    macro = re.match(r"\s*(\w+)\s*=", binding)
    if macro and macro.group(1) not in used:
      name = macro.group(1)
      raise UserError(f"no configuration uses {name}{suggest(name, used)}")
    scope = re.match(r"\s*(\w+)/", binding)
    if scope and f"@{scope.group(1)}/" not in gin.config_str() + "\n".join(bindings):
      raise UserError(f"no configuration uses the scope {scope.group(1)!r}: {binding}")
    setting = re.match(r"\s*(?:\w+/)*([\w.]+)\.(\w+)\s*=", binding)
    if setting:
      _check_setting(*setting.groups())


def _check_setting(selector, name):
  """gin takes any name for something with **kwargs, such as a Keras optimiser."""
  configurable = resolve(selector)
  if not callable(configurable):
    return
  parameters = inspect.signature(configurable).parameters
  open_ended = [p for p in parameters.values() if p.kind is p.VAR_KEYWORD]
  if open_ended and name not in parameters:
    raise UserError(f"{selector} has no setting {name!r}{suggest(name, parameters)}")
