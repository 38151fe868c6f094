"""Hashes of the files, folders and protocols that a run's configuration names."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from disentangle_tf.commands.metric_settings import plan_text
from disentangle_tf.errors import UserError
from disentangle_tf.file_contents import content_of
from disentangle_tf.output_files import sha256_listing
from disentangle_tf.studies.plan import Plan, said_by

_QUOTED = re.compile(r"""(["'])((?:(?!\1).)+)\1""")
_PROTOCOL = re.compile(r"\bprotocols\.[A-Z_0-9]+\b")
_DATA_CLASS = re.compile(r"\bdata\.(\w+)")


def named_contents(text: str) -> dict[str, str]:
  """{name: hash} of the files, folders and protocols that a configuration names.

  Any quoted text that is the path of an existing file names it. A class names the
  cached images of an official data set.

  Args:
    text: of gin files or bindings, as `plan_text` gives it.
  """
  quoted = {match.group(2) for match in _QUOTED.finditer(text)}
  names = {*quoted, *_caches(text, quoted), *_PROTOCOL.findall(text)}
  hashes = ((name, _content(name)) for name in sorted(names))
  return {name: content for name, content in hashes if content is not None}


def check_contents(plan: Plan) -> None:
  """Raise a `UserError` if files or protocols of a `Plan` changed since it was made.

  So a worker that takes a run later trains exactly the run that its key identifies.
  """
  texts = plan_text(plan.files), plan_text([plan.metrics])
  if plan.said != said_by(texts[0], plan.bindings, texts[1]):
    changed = [*plan.files, plan.metrics]
  else:
    now = named_contents("\n".join([*texts, *plan.bindings]))
    changed = [name for name in plan.contents if now.get(name) != plan.contents[name]]
  if changed:
    raise UserError(
      f"{plan.run}: the content of {', '.join(changed)} changed after the study was "
      "planned: restore it, or run the study again"
    )


def _content(name: str) -> str | None:
  return _protocol(name) if _PROTOCOL.fullmatch(name) else content_of(name)


@functools.cache
def _protocol(name: str) -> str | None:
  """A hash of a protocol's metrics and their settings; None if there is none."""
  from disentangle_tf.scoring import protocols

  listed = getattr(protocols, name.removeprefix("protocols."), None)
  if listed is None:
    return None
  return sha256_listing([[m.name, m.metric.__name__, m.settings()] for m in listed])


def _caches(text: str, quoted: set[str]) -> Iterator[str]:
  """Paths of the cached images of the official data sets that a text names."""
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
