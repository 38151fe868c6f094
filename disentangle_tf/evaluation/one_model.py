"""Score a model and write its scores, a report and TensorBoard scalars."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import math
import pathlib
import statistics
import time
import typing
from collections.abc import Iterable, Mapping, Sequence

import tensorflow as tf
from tensorboard.plugins.hparams import api as hparams_api

from disentangle_tf.arguments import (
  check_count,
  check_instance,
  check_seed,
  check_truth,
)
from disentangle_tf.data import GroundTruthData, data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.kept_scores import (
  SCORES,
  asked_for,
  hash_files,
  kept_scores,
)
from disentangle_tf.evaluation.model_warnings import clipping_warnings
from disentangle_tf.evaluation.opening import report_warnings
from disentangle_tf.evaluation.subject import open_subject
from disentangle_tf.evaluation.taken_measurements import taken_measurements
from disentangle_tf.export.manifest import package_versions
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.output_files import check_output_dir, whole_output_dir, write_json
from disentangle_tf.scoring.measurement import (
  LimitError,
  check_factors,
  check_measurements,
)
from disentangle_tf.tensor_float_32 import tensor_float_32
from disentangle_tf.text import printable

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.evaluation.subject import Subject
  from disentangle_tf.foreign.interface.reading import Reading
  from disentangle_tf.scoring.codes_table import CodesTable
  from disentangle_tf.scoring.endless_codes import EndlessCodes
  from disentangle_tf.scoring.measurement import Measurement

_log = logging.getLogger(__name__)


def evaluate(
  *,
  model: str | os.PathLike,
  measurements: Sequence[Measurement],
  output_dir: str | os.PathLike,
  data: GroundTruthData | None = None,
  factors: Sequence[str] | None = None,
  num_points: int | str | None = None,
  num_test_points: int | str | None = None,
  sampled: bool = False,
  seed: int = 0,
  repeats: int = 1,
  batch_size: int = 256,
  factor_bins: int = 20,
  reading: Reading | None = None,
  trusted: bool = False,
  limits: Limits | None = None,
  overwrite: bool = False,
  resume: bool = False,
) -> dict:
  """Score a model and write scores.json, report.html and TensorBoard scalars.

  Args:
    model: path of an export of this project, any other SavedModel, a TF-Hub module, an
      .onnx or .keras file, or codes in an .npz or .npy file.
    measurements: list of the `Measurement`s to take.
    output_dir: folder for the results.
    data: the `GroundTruthData` to score on; by default the one that an export names.
    factors: names of the factors to score, by default all; the others become nuisances,
      which are drawn again for each observation.
    num_points, num_test_points: points for all measurements, in place of their own;
      "all" takes each image of the data set once.
    sampled: take codes drawn from the posteriors in all measurements, not their means.
    seed: of the points drawn and of the metrics' own random numbers.
    repeats: number of times to measure, with this seed and the next ones. Scores are
      then means; their deviations (unbiased) and every repeat are recorded too.
    batch_size: images encoded at a time.
    factor_bins: bins of a continuous factor, see `factor_bins.bin_factors`.
    reading: a `foreign.Reading`: how to read a foreign model.
    trusted: run the model in this process, without sandbox, whatever the scan found.
    limits: `foreign.Limits` of its time, memory and sizes.
    overwrite: move an existing `output_dir` aside first.
    resume: keep existing scores if model and settings are the same.

  Returns:
    The content of scores.json.

  Raises:
    ModelError: if the model cannot be opened, or gives nonsense.
    UserError: if an argument must change.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import evaluation, metrics, scoring
    >>> factors = np.arange(6)[:, None] % 3
    >>> np.savez("codes.npz", codes=factors, factors=factors)
    >>> result = evaluation.evaluate(
    ...   model="codes.npz",
    ...   measurements=[scoring.Measurement(metrics.mig, num_points="all")],
    ...   output_dir="scores",
    ... )
    >>> round(result["scores"]["mig"], 3)
    1.0
  """
  counts = {"repeats": repeats, "batch_size": batch_size, "factor_bins": factor_bins}
  check_count("evaluate", **counts)
  check_measurements(measurements)
  check_seed("evaluate", seed=seed)
  check_truth("evaluate", sampled=sampled)
  if factors is not None and not isinstance(factors, list | tuple):
    raise UserError(f"evaluate.factors is {factors!r}: it must be a list of names")
  if data is not None:
    check_instance("evaluate", GroundTruthData, "data.XYSquares()", data=data)
  measurements, repeated = taken_measurements(
    measurements,
    num_points=num_points,
    num_test_points=num_test_points,
    sampled=sampled,
  )
  options = {"data": data, "factors": factors, "reading": reading, "limits": limits}
  options |= {"trusted": trusted, "batch_size": batch_size, "factor_bins": factor_bins}
  asked = asked_for(measurements=measurements, seed=seed, repeats=repeats, **options)
  if resume and (kept := kept_scores(output_dir, model, asked)):
    _log.info("%s: scored before", printable(model))
    return kept
  check_output_dir(output_dir, overwrite=overwrite)
  with tensor_float_32(False), open_subject(model, **options) as subject:
    check_factors(measurements, subject.data)
    clipping = _clipping_warnings(model, subject.table, measurements)
    data_files = hash_files(subject.data.files if subject.data else ())
    with whole_output_dir(output_dir, overwrite=overwrite) as folder:
      seeds = range(seed, seed + repeats)
      result = _measure(subject, measurements, seeds, limits or Limits())
      result["warnings"] += clipping
      result["model"]["path"] = str(model)
      result["asked"] = asked
      result["data_files"] = data_files
      result |= counts
      result["limits"] = dataclasses.asdict(limits or Limits())
      result["skipped"] |= repeated
      from disentangle_tf.evaluation.report import write_report  # matplotlib: late

      write_report(folder / "report.html", subject, result)
      write_json(folder / SCORES, result)
      _write_summaries(folder, result, subject.hyper_parameters)
  return result


def _clipping_warnings(
  model: str | os.PathLike,
  table: CodesTable | EndlessCodes,
  measurements: Sequence[Measurement],
) -> list[str]:
  """Log and return warnings about a decoder that clips, if a measurement needs it."""
  if not table.can_decode or not any(m.asks_decoder for m in measurements):
    return []
  found = list(clipping_warnings(table))
  report_warnings(model, found)
  return found


def _measure(
  subject: Subject, measurements: Sequence[Measurement], seeds: range, limits: Limits
) -> dict:
  """The content of scores.json, without the model's path and `evaluate`'s counts."""
  table, data = subject.table, subject.data
  known: dict[str, typing.Any] = {"generative_model": subject.generative_model}
  scores, directions, seconds, skipped = {}, {}, {}, {}
  deviations, repeats = {}, {}
  for measurement in measurements:
    missing = measurement.missing_in(table, prior=subject.prior)
    if missing:
      skipped[measurement.name] = missing
      continue
    started = time.perf_counter() - table.seconds
    try:
      repeated = [
        measurement.scores(
          table, seed=seed, limits=limits, prior=subject.prior, **known
        )
        for seed in seeds
      ]
    except LimitError as error:
      skipped[measurement.name] = str(error)
      continue
    for found in repeated:
      _check_finite(found, measurement.name)
    seconds[measurement.name] = time.perf_counter() - table.seconds - started
    no_pictures = measurement.partly_missing_in(table)
    if no_pictures:
      skipped[f"{measurement.name} of reconstructions"] = no_pictures
    elif measurement.asks_for_likelihood and subject.no_likelihood:
      skipped[f"{measurement.name} in nats"] = subject.no_likelihood
    names = _names_of_all(repeated)
    if not names:
      skipped[measurement.name] = "there is nothing to score: no latent is active"
    _check_names(names, scores, measurement.name)
    for name in sorted({name for found in repeated for name in found} - set(names)):
      skipped[name] = "some repeats do not give it"
    directions |= measurement.directions(names)
    for name in names:
      values = [found[name] for found in repeated]
      scores[name] = statistics.fmean(values)
      if len(values) > 1:
        deviations[name] = statistics.stdev(values)
        repeats[name] = values
  seconds["encode"] = table.seconds
  return {
    "scores": scores,
    "directions": directions,
    "deviations": deviations,
    "scores_of_repeats": repeats,
    "skipped": skipped,
    "warnings": list(subject.warnings),
    "settings": {
      m.name: m.settings(**known, may_clip=table.may_clip) for m in measurements
    },
    "seed": seeds[0],
    "factors": list(table.space.names),
    "data": data_to_config(data) if data else {"class": None, "arguments": {}},
    "model": subject.record,
    "versions": package_versions(),
    "seconds": {name: round(value, 3) for name, value in seconds.items()},
  }


def _names_of_all(repeated: list[dict[str, float]]) -> list[str]:
  """Names of the scores of all seeds: a latent may be active on some points only."""
  first, *others = repeated
  return [name for name in first if all(name in found for found in others)]


def _check_finite(scores: Mapping[str, float], name: str) -> None:
  for key, value in scores.items():
    if not math.isfinite(value):
      raise UserError(f"metric {name} gave {value} for {key}")


def _check_names(found: Iterable[str], scores: Mapping[str, float], name: str) -> None:
  twice = sorted(set(found) & set(scores))
  if twice:
    raise UserError(
      f"{name} gives a score {twice[0]!r} and so does another metric: set the prefix "
      "of its scoring.Measurement"
    )


def _write_summaries(
  directory: pathlib.Path, result: dict, hyper_parameters: Mapping[str, typing.Any]
) -> None:
  """Write scores and hyper-parameters; HPARAMS has one row for equal ones."""
  step = result["model"]["step"] or 0
  writer = tf.summary.create_file_writer(str(directory))
  with contextlib.closing(writer), writer.as_default(step=step):
    if hyper_parameters:
      hparams_api.hparams(hyper_parameters)
    for name, value in result["scores"].items():
      tf.summary.scalar(f"scores/{name}", value)
