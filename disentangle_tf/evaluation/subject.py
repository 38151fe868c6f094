"""What is scored: a model of whatever make, or codes that somebody computed."""

import contextlib
import dataclasses
import functools
import json
import math

from disentangle_tf.data import (
  FactorSubset,
  GroundTruthData,
  check_strangers_set,
  data_from_config,
  data_to_config,
)
from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.evaluation.arrays import table_from_arrays
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.evaluation.model_warnings import model_warnings
from disentangle_tf.export import manifest as manifests
from disentangle_tf.export.generative_model import (
  BERNOULLI,
  GenerativeModel,
  generative_config,
  generative_model_from_config,
)
from disentangle_tf.export.part_serialisation import prior_from_config
from disentangle_tf.export.pixel_means import pixel_means
from disentangle_tf.foreign.choose.reading import Reading
from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.foreign.find_kind import holds_arrays
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.look.arrays import Arrays
from disentangle_tf.priors import Prior
from disentangle_tf.strangers_text import printable

_MOST_POINTS = 2**28


@dataclasses.dataclass(frozen=True)
class Subject:
  """Codes, and all that is known of where they come from.

  Attributes:
    table: the `CodesTable`, or `EndlessCodes`.
    data: the `GroundTruthData`; None for arrays that bring their own factors.
    model: the opened `ForeignModel`; None for arrays.
    record: what scores.json says about the model.
    hyper_parameters: {name: value}, of an export what it was trained with.
    generative_model: the `export.GenerativeModel` behind it, if that is known.
    no_likelihood: why it is not, in words.
    prior: the `priors.Prior` of its latents, if that is known.
    warnings: what looks as if the model was read in a wrong way, a line each.
  """

  table: CodesTable
  data: GroundTruthData | None
  model: ForeignModel | None
  record: dict
  hyper_parameters: dict = dataclasses.field(default_factory=dict)
  generative_model: GenerativeModel | None = None
  no_likelihood: str | None = None
  prior: Prior | None = None
  warnings: tuple = ()


@contextlib.contextmanager
def open_subject(
  path, *, data, factors, reading, trusted, limits, batch_size, factor_bins=20
):
  """Yields the `Subject` at `path`; arguments as of `evaluate`."""
  limits = limits or Limits()
  if holds_arrays(path):
    if trusted or (reading or Reading()) != Reading():
      print(
        f"{printable(path)}: arrays, to which flags that read or run models say nothing"
      )
    arrays = Arrays.read(path, limits)
    subject = _arrays(arrays, data, factors, factor_bins, limits)
    _print_remarks(path, subject.table)
    yield subject
    return
  options = {"reading": reading, "trusted": trusted, "limits": limits}
  with open_model(path, data=data, **options) as (model, data, manifest):
    if data is None:
      raise UserError(
        f"{printable(path)} does not say which data it was trained on: name the set to "
        "score it on with --data"
      )
    if factors is not None:
      data = _subset(data, tuple(factors))
    table = CodesTable.of_model(
      model.encode,
      data,
      reconstruct=model.reconstruct if model.can_reconstruct else None,
      decode=model.decode_unclipped if model.can_decode else None,
      may_clip=not model.can_decode_unclipped,
      batch_size=batch_size,
      factor_bins=factor_bins,
    )
    limits.check_latents(table.num_latents)
    record = {
      "kind": model.verdict.kind,
      "sha256": model.sha256_of_all,
      "files": model.sha256,
      "files_left_out": model.left_out,
      "scan": model.verdict.to_json(),
      "sandbox": model.sandbox,
      "read_as": "; ".join([_described(model), *table.remarks]),
      "generative_model": _generative_config(model, manifest),
      "family": manifests.family(manifest),
      "step": manifest.get("step"),
    }
    _print_remarks(path, table)
    found = model_warnings(model, data, by_contract=bool(manifest))
    _print_warnings(path, found)
    warnings = (*model.interface.doubts, *found)
    settings = manifests.hyper_parameters(manifest)
    known = _generative_model(model, manifest, data, table)
    prior = _prior(_generative_config(model, manifest))
    yield Subject(table, data, model, record, settings, *known, prior, warnings)


@contextlib.contextmanager
def open_model(path, *, data, reading, trusted, limits):
  """Yields (an open `ForeignModel`, its data set or None, its manifest or {})."""
  limits = limits or Limits()
  with ForeignModel(path, limits) as model:
    manifest = manifest_of(model)
    named_by_user = data is not None
    if named_by_user and manifest:
      _tell_changed_file(path, manifest["data"], data)
    elif manifest:
      data = _data_of(manifest, trusted)
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
    print(f"{printable(path)}: {model.verdict.kind}, {_described(model)}")
    _print_warnings(path, model.interface.doubts)
    yield model, data, manifest


def _under_contract(path, reading):
  """What is left of a reading for an export, whose contract says how it is read."""
  kept = Reading(resize=reading.resize)
  if reading != kept:
    print(
      f"{printable(path)}: an export of this project, read by its contract and not by "
      "flags"
    )
  return kept


def _standardisation(data, reading):
  if not reading.asks_for_standardisation:
    return None
  if data is None:
    raise UserError("standardised images are those of a data set: add --data")
  return data.standardisation()


def _print_warnings(path, warnings):
  for warning in warnings:
    print(f"{printable(path)}: warning: {warning}")


def manifest_of(model):
  """The manifest of an export, checked; {} for models of other makes.

  Args:
    model: a `ForeignModel`, open or not.
  """
  folder = model.manifest_folder
  if folder is None or not manifests.is_manifest(folder):
    return {}
  manifest = manifests.read_manifest(folder, shown_as=model.path)
  manifests.check_files(folder, manifest, shown_as=model.path)
  return manifest


def _described(model):
  """How the model is read: names of its own choice, and as many as it likes."""
  return printable(model.interface.describe(), longest=2_000)


def _print_remarks(path, table):
  for remark in table.remarks:
    print(f"{printable(path)}: {remark}")


def _arrays(arrays, data, factors, factor_bins, limits):
  space = data.factors if data else None
  table = table_from_arrays(
    arrays, space, factors=factors, factor_bins=factor_bins, limits=limits
  )
  record = {
    "kind": "arrays",
    "sha256": arrays.sha256,
    "scan": {"skipped": "arrays hold no program; nothing was unpickled"},
    "sandbox": {"skipped": "there is no model to run"},
    "read_as": "; ".join(["codes of every point", *table.remarks]),
    "step": None,
  }
  return Subject(table, data, None, record)


def _generative_config(model, manifest):
  """What is known of how images come about, as a manifest says it; None if nothing."""
  return BERNOULLI if model.interface.is_bernoulli else generative_config(manifest)


def _generative_model(model, manifest, data, table):
  """(the `GenerativeModel`, None), or (None, why there is none)."""
  decode_parameters = model.decode_parameters if model.has_parameters else None
  if model.interface.is_bernoulli:
    decode_parameters = model.decode_logits
  elif model.interface.decoder_output:
    return None, (
      "it takes logits or probabilities of the pixels as they are, from a function "
      "that decodes codes"
    )
  try:
    config = _generative_config(model, manifest)
    known = generative_model_from_config(config, decode_parameters)
    known.try_out(data.observation_shape, table.num_latents)
  except UserError as error:
    return None, str(error)
  return known, None


def _prior(config):
  """The prior that a model tells; None if it tells none."""
  try:
    return prior_from_config((config or {}).get("prior"))
  except UserError:
    return None


def _data_of(manifest, trusted):
  """The data set that an export names."""
  config = manifest["data"]
  try:
    try:
      check_strangers_set(config)
    except UserError:
      if not trusted:
        raise
      return data_from_config(config)  # anew: files may change
    return _made(json.dumps(config))
  except (ValueError, OverflowError, MemoryError) as error:
    raise ModelError(
      f"its data cannot be made: {printable(error, longest=500)}"
    ) from error


@functools.lru_cache(maxsize=4)
def _made(config):
  """One set for all models of a table that name it."""
  return data_from_config(json.loads(config))


@functools.lru_cache(maxsize=1)
def _subset(data, factors):
  return FactorSubset(data, factors)


def _tell_changed_file(path, trained_on, data):
  """A line if the file to score on is not the one that was trained on."""
  trained = _hash_of_file(trained_on)
  given = _hash_of_file(data_to_config(data)) if trained else None
  if given and trained != given:
    print(
      f"{printable(path)}: trained on a file of sha256 {printable(trained)}, the data "
      f"given has {given}: it is another file, or has changed since"
    )


def _hash_of_file(config):
  """The sha256 that a set's description gives for its file, also within a subset."""
  arguments = config.get("arguments")
  if not isinstance(arguments, dict):
    return None
  inner = arguments.get("data")
  return _hash_of_file(inner) if isinstance(inner, dict) else arguments.get("sha256")


def _check_size(shape, data, limits):
  """Raises unless images of this shape, and so many, can be dealt with."""
  numbers = math.prod(shape)
  if min(shape) < 1 or numbers > limits.image_numbers:
    raise UserError(
      f"images of {' x '.join(map(str, shape))} numbers: at most "
      f"{limits.image_numbers:,} are taken (--limit_image_numbers)"
    )
  if data is not None and data.factors.num_points > _MOST_POINTS:
    raise UserError(
      f"{data.name} has {data.factors.num_points:,} images: at most {_MOST_POINTS:,} "
      "can be scored on"
    )
