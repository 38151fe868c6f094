"""What is scored: a model, ours or foreign, or codes from a file."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import logging
import typing
from collections.abc import Iterator, Sequence

from disentangle_tf.data import FactorSubset, GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.arrays import table_from_arrays
from disentangle_tf.evaluation.model_warnings import model_warnings
from disentangle_tf.evaluation.opening import described, open_model, report_warnings
from disentangle_tf.export import manifest as manifests
from disentangle_tf.export.generative_model import (
  BERNOULLI,
  GenerativeModel,
  generative_config,
  generative_model_from_config,
)
from disentangle_tf.export.part_serialisation import prior_from_config
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.interface.reading import Reading
from disentangle_tf.foreign.model_files import holds_arrays
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.foreign.scan.scan import Arrays
from disentangle_tf.priors import Prior
from disentangle_tf.scoring.codes_table import CodesTable
from disentangle_tf.text import printable

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.scoring.endless_codes import EndlessCodes

_log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Subject:
  """Codes, and what is known about their origin.

  Attributes:
    table: the `CodesTable`, or `EndlessCodes`.
    data: the `GroundTruthData`; None for arrays with factors of their own.
    model: the opened `ForeignModel`; None for arrays.
    record: what scores.json says about the model.
    hyper_parameters: {name: value} of the training of an export.
    generative_model: the `export.GenerativeModel` of the model, if it is known.
    no_likelihood: why it is not known, in words.
    prior: the `priors.Prior` of the latents, if it is known.
    warnings: signs that the model was read in a wrong way, one line each.
  """

  table: CodesTable | EndlessCodes
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
  path: str | os.PathLike,
  *,
  data: GroundTruthData | None,
  factors: Sequence[str] | None,
  reading: Reading | None,
  trusted: bool,
  limits: Limits | None,
  batch_size: int,
  factor_bins: int = 20,
) -> Iterator[Subject]:
  """Yield the `Subject` at `path`, open inside the block.

  Args:
    path: of a model or of arrays.
    data, factors, reading, trusted, limits, batch_size, factor_bins: as for `evaluate`.
  """
  limits = limits or Limits()
  if holds_arrays(path):
    if trusted or (reading or Reading()) != Reading():
      _log.info(
        "%s: arrays: settings of how to read and run a model are ignored",
        printable(path),
      )
    arrays = Arrays.read(path, limits)
    subject = _arrays(arrays, data, factors, factor_bins, limits)
    _report_remarks(path, subject.table)
    yield subject
    return
  options = {"reading": reading, "trusted": trusted, "limits": limits}
  with open_model(path, data=data, **options) as (model, data, manifest):
    if data is None:
      raise UserError(
        f"{printable(path)} does not say which data it was trained on: set data to the "
        "data set to score it on"
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
      "read_as": "; ".join([described(model), *table.remarks]),
      "generative_model": _generative_config(model, manifest),
      "family": manifests.family(manifest),
      "step": manifest.get("step"),
    }
    _report_remarks(path, table)
    found = model_warnings(model, data, by_contract=bool(manifest))
    report_warnings(path, found)
    warnings = (*model.interface.doubts, *found)
    settings = manifests.hyper_parameters(manifest)
    known = _generative_model(model, manifest, data, table)
    prior = _prior(_generative_config(model, manifest))
    yield Subject(table, data, model, record, settings, *known, prior, warnings)


def _report_remarks(path: str | os.PathLike, table: CodesTable | EndlessCodes) -> None:
  for remark in table.remarks:
    _log.info("%s: %s", printable(path), remark)


def _arrays(
  arrays: Arrays,
  data: GroundTruthData | None,
  factors: Sequence[str] | None,
  factor_bins: int,
  limits: Limits,
) -> Subject:
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


def _generative_config(model: ForeignModel, manifest: dict) -> dict | None:
  """Likelihood and prior as a manifest records them; None if nothing is known."""
  return BERNOULLI if model.interface.is_bernoulli else generative_config(manifest)


def _generative_model(
  model: ForeignModel,
  manifest: dict,
  data: GroundTruthData,
  table: CodesTable | EndlessCodes,
) -> tuple[GenerativeModel | None, str | None]:
  """(the `GenerativeModel`, None), or (None, why there is none)."""
  decode_parameters = model.decode_parameters if model.has_parameters else None
  if model.interface.is_bernoulli:
    decode_parameters = model.decode_logits
  elif model.interface.decoder_output:
    return None, (
      "a likelihood needs a function that decodes codes to logits or probabilities of "
      "the pixels, without further conversion"
    )
  try:
    config = _generative_config(model, manifest)
    known = generative_model_from_config(config, decode_parameters)
    known.try_out(data.observation_shape, table.num_latents)
  except UserError as error:
    return None, str(error)
  return known, None


def _prior(config: dict | None) -> Prior | None:
  """The prior that a manifest records; None if it records none."""
  try:
    return prior_from_config((config or {}).get("prior"))
  except UserError:
    return None


@functools.lru_cache(maxsize=1)
def _subset(data: GroundTruthData, factors: tuple[str, ...]) -> FactorSubset:
  return FactorSubset(data, factors)
