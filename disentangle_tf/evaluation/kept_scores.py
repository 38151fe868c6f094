"""Scores that an earlier command left, and whether they still hold."""

import dataclasses
import json
import pathlib

from disentangle_tf.data import data_to_config
from disentangle_tf.export.manifest import package_versions
from disentangle_tf.file_contents import content_of
from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.foreign.hash_model import hash_model
from disentangle_tf.output_files import sha256_listing

SCORES = "scores.json"


def asked_for(*, measurements, data, reading, limits, **settings):
  """One hash of all that a score depends on, besides the model.

  Args:
    measurements: the `Measurement`s, as they are taken.
    data, reading, limits: as of `evaluate`.
    settings: other arguments of it that count, each as JSON.
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


def hash_files(paths):
  """{path: hash of its content}, as `content_of` gives it."""
  return {path: content_of(path) for path in paths}


def kept_scores(folder, model, asked):
  """The content of scores.json in `folder`, if the same would be computed again.

  Args:
    folder: where an earlier command wrote its results, or has not.
    model: the path of the model.
    asked: what `asked_for` gives.

  Returns:
    None if there are none, or those of another model, of other settings, or on files of
    another content.
  """
  result = read_scores(folder)
  if result is None or result.get("asked") != asked or "data_files" not in result:
    return None
  if hash_files(result["data_files"]) != result["data_files"]:
    return None
  return result if result["model"]["sha256"] == hash_model(model) else None


def read_scores(folder):
  """The content of scores.json in `folder`; None if there is none that is whole."""
  try:
    result = json.loads((pathlib.Path(folder) / SCORES).read_text(encoding="utf-8"))
    complete = {"path", "sha256"} <= set(result["model"])
    complete = complete and {"scores", "directions"} <= set(result)
  except (OSError, ValueError, TypeError, KeyError):
    return None
  return result if complete else None
