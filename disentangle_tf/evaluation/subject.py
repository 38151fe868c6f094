"""What is scored: a model of whatever make, or codes that somebody computed."""

import contextlib
import dataclasses
import math

from disentangle_tf.data import GroundTruthData, data_from_config
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.arrays import table_from_arrays
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.export import manifest as manifests
from disentangle_tf.foreign import model_files
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.output_files import sha256_file

_MOST_NUMBERS = 2**20  # in one image
_MOST_POINTS = 2**28


@dataclasses.dataclass(frozen=True)
class Subject:
  """Codes, and all that is known of where they come from.

  Attributes:
    table: the `CodesTable`.
    data: the `GroundTruthData`; None for arrays that bring their own factors.
    model: the opened `ForeignModel`; None for arrays.
    record: what scores.json says about the model.
  """

  table: CodesTable
  data: GroundTruthData | None
  model: ForeignModel | None
  record: dict


@contextlib.contextmanager
def open_subject(path, *, data, reading, trusted, limits, batch_size):
  """Yields the `Subject` at `path`; arguments as of `evaluate`."""
  if model_files.find_kind(path) == "arrays":
    yield _arrays(path, data)
    return
  options = {"reading": reading, "trusted": trusted, "limits": limits}
  with open_model(path, data=data, **options) as (model, data, manifest):
    if data is None:
      raise UserError(
        f"{path} does not say which data it was trained on: name the set to score it "
        "on with --data"
      )
    table = CodesTable.of_model(
      model.encode_distribution,
      data,
      reconstruct=model.reconstruct if model.has_decoder else None,
      batch_size=batch_size,
    )
    record = {
      "kind": model.verdict.kind,
      "sha256": model.sha256_of_all,
      "files": model.sha256,
      "files_left_out": model.left_out,
      "scan": model.verdict.to_json(),
      "sandbox": model.sandbox,
      "read_as": model.interface.describe(),
      "step": manifest.get("step"),
    }
    yield Subject(table, data, model, record)


@contextlib.contextmanager
def open_model(path, *, data, reading, trusted, limits):
  """Yields (an open `ForeignModel`, its data set or None, its manifest or {})."""
  with ForeignModel(path) as model:
    manifest = _manifest(model)
    if data is None and manifest:
      data = _data_of(path, manifest, trusted)
    if data is not None:
      _check_size(data)
    shape = model.image_shape if data is None else data.observation_shape
    model.open(shape, reading=reading, trusted=trusted, limits=limits)
    print(f"{path}: {model.verdict.kind}, {model.interface.describe()}")
    yield model, data, manifest


def _arrays(path, data):
  table, remarks = table_from_arrays(path, data.factors if data else None)
  record = {
    "kind": "arrays",
    "sha256": sha256_file(path),
    "scan": {"skipped": "arrays hold no program; nothing was unpickled"},
    "sandbox": {"skipped": "there is no model to run"},
    "read_as": "; ".join(["codes of every point", *remarks]),
    "step": None,
  }
  return Subject(table, data, None, record)


def _manifest(model):
  """The manifest of an export, checked; {} for models of other makes."""
  folder = model.manifest_folder
  if folder is None or not manifests.is_manifest(folder):
    return {}
  manifest = manifests.read_manifest(folder, shown_as=model.path)
  manifests.check_files(folder, manifest, shown_as=model.path)
  return manifest


def _data_of(path, manifest, trusted):
  """The data set that an export names."""
  config = manifest["data"]
  if not trusted and _names_files(config):
    raise UserError(
      f"{path} was trained on data that it names by a file or an address: name the "
      "data with --data, or add --trusted if you know who made it"
    )
  try:
    return data_from_config(config)
  except (ValueError, OverflowError, MemoryError) as error:
    if isinstance(error, UserError):
      raise
    raise UserError(f"the data set of {path} cannot be made: {error}") from error


def _names_files(value):
  """Whether a stranger's data set would have us open something of his choice."""
  if isinstance(value, dict):
    return value.get("class") == "FactorTable" or any(map(_names_files, value.values()))
  if isinstance(value, list):
    return any(map(_names_files, value))
  return isinstance(value, str) and ("/" in value or "\\" in value)


def _check_size(data):
  numbers, points = math.prod(data.observation_shape), data.factors.num_points
  if numbers > _MOST_NUMBERS or points > _MOST_POINTS:
    raise UserError(
      f"{data.name} with {points} images of {numbers} numbers is too large to score on"
    )
