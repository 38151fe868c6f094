"""Errors of gin, and of what gin configures, as one line for people."""

import difflib
import importlib
import inspect
import re

from absl import flags

from disentangle_tf.errors import UserError

_CALL_NOTE = "\n  In call to configurable"
ROOMS = (
  "data",
  "evaluation",
  "losses",
  "metrics",
  "models",
  "networks",
  "perceived",
  "priors",
  "schedules",
  "studies",
  "supervision",
  "training",
)
_ENTRY_POINTS = ("train", "evaluate", "perceive", "visualize", "study")


def explain(error):
  """One line about a user's mistake, or None if `error` is not one."""
  text, *calls = str(error).split(_CALL_NOTE)
  if isinstance(error, UserError | flags.Error):
    return _one_line(text)
  if not calls:
    return None
  configured = re.search(r"'([^']+)'", calls[0]).group(1)
  missing = re.search(r"missing \d+ required .*arguments?: (.*)", text)
  if isinstance(error, TypeError) and missing:
    return (
      f"{configured} needs a value for {missing.group(1)}: set it in a gin file or "
      f"with --gin_bindings {configured}.NAME=VALUE"
    )
  from disentangle_tf import metrics  # here, so that --help need not wait for it

  # A part that refuses its settings was configured wrongly; anything that goes wrong
  # later, in the run itself or a metric, is ours to explain with a traceback.
  at_work = configured in _ENTRY_POINTS or configured in metrics.__all__
  if isinstance(error, TypeError | ValueError) and not at_work:
    return f"{configured} does not accept its settings: {_one_line(text)}"
  return None


def explain_parsing(error):
  """One line about a configuration that cannot be read."""
  text = str(error)
  unknown = re.search(
    r"Configurable '(.+)' doesn't have a parameter named '(.+)'", text
  )
  if unknown:
    configurable, name = unknown.groups()
    known = _parameters(resolve(configurable))
    return f"{configurable} has no setting {name!r}{suggest(name, known)}{_place(text)}"
  unknown = re.search(r"Couldn't resolve selector (\S+);.*has no attribute (\w+)", text)
  if unknown:
    selector, name = unknown.groups()
    parent = resolve(selector.rpartition("." + name)[0])
    return f"there is no {selector}{suggest(name, _public(parent))}{_place(text)}"
  unknown = re.search(r"No configurable matching reference '@(.+?)(\(\))?'", text)
  if unknown:
    name = unknown.group(1)
    return f"@{name} is not known{_place(text)}: is it imported, and spelt so?"
  unknown = re.search(
    r"No configurable matching '(.+?)'|'(.+?)' was not provided by an import", text
  )
  if unknown:
    name = unknown.group(1) or unknown.group(2)
    return f"there is no {name!r} to configure{suggest(name, ROOMS)}{_place(text)}"
  unknown = re.search(r"No bindings specified for '(.+)/gin.macro'", text)
  if unknown:
    macro = unknown.group(1)
    return (
      f"%{macro} is used but never set: add --gin_bindings {macro}=VALUE, or a "
      "gin file that sets it"
    )
  if isinstance(error, SyntaxError) or "malformed node" in text:
    return f"cannot be read{_place(text)}: write NAME = VALUE, with quotes around text"
  return _one_line(text)


def suggest(name, known):
  """A question naming the nearest of the `known` names, or nothing."""
  near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
  return f"; did you mean {near[0]!r}?" if near else ""


def _place(text):
  place = re.search(r"In (file|bindings string)( \"[^\"]+\")?,? line (\d+)", text)
  return f" ({_one_line(place.group(0))})" if place and place.group(2) else ""


def _one_line(text):
  return "; ".join(line.strip() for line in text.splitlines() if line.strip())


def resolve(selector):
  """The object a gin file calls `selector`, or None."""
  head, *attributes = selector.split(".")
  for module in (f"disentangle_tf.{head}", head):
    try:
      found = importlib.import_module(module)
    except ImportError:
      continue
    for attribute in attributes:
      found = getattr(found, attribute, None)
    return found
  return None


def _parameters(configurable):
  return inspect.signature(configurable).parameters if configurable else ()


def _public(module):
  return getattr(module, "__all__", None) or dir(module)
