"""The content of what a run's configuration names: files, folders and protocols."""

import functools
import re

from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.errors import UserError
from disentangle_tf.file_contents import content_of
from disentangle_tf.output_files import sha256_listing
from disentangle_tf.studies.plan import said_by

_QUOTED = re.compile(r"""(["'])((?:(?!\1).)+)\1""")
_PROTOCOL = re.compile(r"\bprotocols\.[A-Z_0-9]+\b")
_DATA_CLASS = re.compile(r"\bdata\.(\w+)")


def named_contents(text):
  """{name: hash} of the files, folders and protocols that a configuration names.

  A file is named by any text in quotes that is its path, whatever reads it; an official
  set by its class. What is not there has no hash.

  Args:
    text: of gin files or bindings, as `plan_text` gives it.
  """
  quoted = {match.group(2) for match in _QUOTED.finditer(text)}
  names = {*quoted, *_caches(text, quoted), *_PROTOCOL.findall(text)}
  found = {name: _content(name) for name in names}
  return {name: found[name] for name in sorted(found) if found[name] is not None}


def check_contents(plan):
  """Raises a `UserError` if what a `Plan` was made of has changed since.

  So a worker that takes a run later trains what the run's key stands for.
  """
  texts = plan_text(plan.files), plan_text([plan.metrics])
  if plan.said != said_by(texts[0], plan.bindings, texts[1]):
    changed = [*plan.files, plan.metrics]
  else:
    now = named_contents("\n".join([*texts, *plan.bindings]))
    changed = [name for name in plan.contents if now.get(name) != plan.contents[name]]
  if changed:
    raise UserError(
      f"{plan.run}: of {', '.join(changed)} something changed after the study was "
      "planned: bring it back, or run the study again"
    )


def _content(name):
  return _protocol(name) if _PROTOCOL.fullmatch(name) else content_of(name)


@functools.cache
def _protocol(name):
  """A hash of what a protocol measures, and how."""
  from disentangle_tf.scoring import protocols

  listed = getattr(protocols, name.removeprefix("protocols."), None)
  if listed is None:
    return None
  return sha256_listing([[m.name, m.metric.__name__, m.settings()] for m in listed])


def _caches(text, quoted):
  """Paths of the official sets' images in the data folder, as far as they are named."""
  classes = set(_DATA_CLASS.findall(text))
  if not classes:
    return
  from disentangle_tf.data.files.cached_images import CACHE_NAME, CachedImages
  from disentangle_tf.data.files.official_files import data_folder
  from disentangle_tf.data.known_sets import KNOWN_SETS

  for name, known in KNOWN_SETS.items():
    kind = known.data_class
    named = kind.__name__ in classes and issubclass(kind, CachedImages)
    if named and set(known.arguments.values()) <= quoted:
      yield str(data_folder() / name / CACHE_NAME)
