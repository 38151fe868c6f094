"""Opening any model, ours or foreign, with the data set that it names."""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import math
import typing
from collections.abc import Iterable, Iterator

from disentangle_tf.data import (
  GroundTruthData,
  check_foreign_data,
  data_from_config,
  data_to_config,
)
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.export import manifest as manifests
from disentangle_tf.export.pixel_means import pixel_means
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.text import printable

if typing.TYPE_CHECKING:
  import os

_log = logging.getLogger(__name__)
_MOST_POINTS = 2**28


@contextlib.contextmanager
def open_model(
  path: str | os.PathLike,
  *,
  data: GroundTruthData | None,
  reading: Reading | None,
  trusted: bool,
  limits: Limits | None,
) -> Iterator[tuple[ForeignModel, GroundTruthData | None, dict]]:
  """Scan, open and describe the model at `path`; it is open inside the block.

  Args:
    path: an export of this project, or a foreign model.
    data: the data set to use; None takes the one that an export names.
    reading: how to read a foreign model; None detects its interface.
    trusted: run it in this process, without sandbox, whatever the scan found.
    limits: bounds of its memory, time and sizes; None takes the defaults.

  Yields:
    (the open `ForeignModel`, its data set or None, its manifest or {}).

  Raises:
    ModelError: if the model cannot be opened.
    UserError: if an argument must change.
  """
  limits = limits or Limits()
  with ForeignModel(path, limits) as model:
    manifest = manifest_of(model)
    named_by_user = data is not None
    if data is not None and manifest:
      _report_changed_file(path, manifest["data"], data)
    elif manifest:
      data = data_of(manifest, trusted)
    shape = model.image_shape if data is None else data.observation_shape
    try:
      _check_size(shape, data, limits)
    except UserError as error:
      raise (error if named_by_user else ModelError(str(error))) from error
    reading = reading or Reading()
    if manifest:
      reading = _under_contract(path, reading)
    model.open(
      shape,
      reading=reading,
      standardisation=_standardisation(data, reading),
      pixel_means=pixel_means(manifest, shape),
      trusted=trusted,
      limits=limits,
    )
    _log.info("%s: %s, %s", printable(path), model.verdict.kind, described(model))
    report_warnings(path, model.interface.doubts)
    yield model, data, manifest


def manifest_of(model: ForeignModel) -> dict:
  """The checked manifest of an export; {} for foreign models.

  Args:
    model: a `ForeignModel`, open or not.
  """
  folder = model.manifest_folder
  if folder is None or not manifests.is_manifest(folder):
    return {}
  manifest = manifests.read_manifest(folder, shown_as=model.path)
  manifests.check_files(folder, manifest, shown_as=model.path)
  return manifest


def described(model: ForeignModel) -> str:
  """How the model is read, in words; bounded, because a foreign model chooses names."""
  return printable(model.interface.describe(), longest=2_000)


def report_warnings(path: str | os.PathLike, warnings: Iterable[str]) -> None:
  """Log what looks wrong with the model at `path`."""
  for warning in warnings:
    _log.warning("%s: warning: %s", printable(path), warning)


def data_of(manifest: dict, trusted: bool) -> GroundTruthData:
  """Make the data set that the manifest of an export names.

  Args:
    manifest: of an export, checked.
    trusted: whether it may name data sets that read the user's files.

  Raises:
    ModelError: if the data set cannot be made.
  """
  config = manifest["data"]
  try:
    try:
      check_foreign_data(config)
    except UserError:
      if not trusted:
        raise
      return data_from_config(config)  # not shared: files may change
    return _made(json.dumps(config))
  except (ValueError, OverflowError, MemoryError) as error:
    raise ModelError(
      f"its data cannot be made: {printable(error, longest=500)}"
    ) from error


@functools.lru_cache(maxsize=4)
def _made(config: str) -> GroundTruthData:
  """One data set for all models of a table that name it."""
  return data_from_config(json.loads(config))


def _under_contract(path: str | os.PathLike, reading: Reading) -> Reading:
  """The part of a reading that applies to an export, whose contract says the rest."""
  kept = Reading(resize=reading.resize)
  if reading != kept:
    _log.info(
      "%s: an export of this project: it is read by its contract, other settings of "
      "how to read it are ignored",
      printable(path),
    )
  return kept


def _standardisation(data: GroundTruthData | None, reading: Reading) -> tuple | None:
  if not reading.asks_for_standardisation:
    return None
  if data is None:
    raise UserError("standardised images need a data set: set data")
  return data.standardisation()


def _report_changed_file(
  path: str | os.PathLike, trained_on: dict, data: GroundTruthData
) -> None:
  """Log a line if the file to score on is not the one that was trained on."""
  trained = _hash_of_file(trained_on)
  given = _hash_of_file(data_to_config(data)) if trained else None
  if given and trained != given:
    _log.info(
      "%s: trained on a file with sha256 %s, the data given has %s: it is another "
      "file, or has changed since",
      printable(path),
      printable(trained),
      given,
    )


def _hash_of_file(config: dict) -> str | None:
  """The sha256 of a data set's file in its description, also within a subset."""
  arguments = config.get("arguments")
  if not isinstance(arguments, dict):
    return None
  inner = arguments.get("data")
  return _hash_of_file(inner) if isinstance(inner, dict) else arguments.get("sha256")


def _check_size(
  shape: tuple[int, ...], data: GroundTruthData | None, limits: Limits
) -> None:
  """Raise a `UserError` if images are too large, or there are too many."""
  numbers = math.prod(shape)
  if min(shape) < 1 or numbers > limits.image_numbers:
    raise UserError(
      f"images of {' x '.join(map(str, shape))} numbers: at most "
      f"{limits.image_numbers:,} are taken (Limits.image_numbers)"
    )
  if data is not None and data.factors.num_points > _MOST_POINTS:
    raise UserError(
      f"{data.name} has {data.factors.num_points:,} images: at most {_MOST_POINTS:,} "
      "can be scored on"
    )
