"""Scores of an earlier command, and whether they are still valid."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import typing
from collections.abc import Iterable, Sequence

from disentangle_tf.data import data_to_config
from disentangle_tf.export.manifest import package_versions
from disentangle_tf.file_contents import content_of
from disentangle_tf.foreign.copy_model import hash_model
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.output_files import sha256_listing

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.foreign.interface.reading import Reading
  from disentangle_tf.scoring.measurement import Measurement


SCORES = "scores.json"


def asked_for(
  *,
  measurements: Sequence[Measurement],
  data: GroundTruthData | None,
  reading: Reading | None,
  limits: Limits,
  **settings: typing.Any,
) -> str:
  """One hash of everything that a score depends on, except the model.

  Args:
    measurements: the `Measurement`s, as they are taken.
    data, reading, limits: as for `evaluate`.
    settings: other arguments of `evaluate` that affect scores, each as JSON.
  """
  limits = limits or Limits()
  described = {
    "measurements": [[m.name, m.settings()] for m in measurements],
    "data": data_to_config(data) if data else None,
    "reading": dataclasses.asdict(reading) if reading else None,
    "limits": [limits.metric_seconds, limits.codes_gib],
    "versions": package_versions(),
    **settings,
  }
  return sha256_listing(described)


def hash_files(paths: Iterable[str]) -> dict[str, str | None]:
  """{path: hash of its content}, as `content_of` returns it."""
  return {path: content_of(path) for path in paths}


def kept_scores(
  folder: str | os.PathLike, model: str | os.PathLike, asked: str
) -> dict | None:
  """The content of scores.json in `folder`, if it would be computed again.

  Args:
    folder: a folder of results; it may not exist.
    model: the path of the model.
    asked: the hash of `asked_for`.

  Returns:
    The content; None without scores, or if the model, the settings or the content of
    data files differ.
  """
  result = read_scores(folder)
  if result is None or result.get("asked") != asked or "data_files" not in result:
    return None
  if hash_files(result["data_files"]) != result["data_files"]:
    return None
  return result if result["model"]["sha256"] == hash_model(model) else None


def read_scores(folder: str | os.PathLike) -> dict | None:
  """The content of scores.json in `folder`; None if it is missing or incomplete."""
  try:
    result = json.loads((pathlib.Path(folder) / SCORES).read_text(encoding="utf-8"))
    complete = {"path", "sha256"} <= set(result["model"])
    complete = complete and {"scores", "directions"} <= set(result)
  except (OSError, ValueError, TypeError, KeyError):
    return None
  return result if complete else None
