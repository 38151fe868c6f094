"""Scores of an export, on disk and in TensorBoard."""

import math
import time

import tensorflow as tf

from disentangle_tf.data import data_from_config, data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.codes_table import CodesTable
from disentangle_tf.export import ExportedModel
from disentangle_tf.export.manifest import package_versions
from disentangle_tf.output_files import prepare_output_dir, write_json


def evaluate(
  *,
  model,
  measurements,
  output_dir,
  data=None,
  num_points=None,
  num_test_points=None,
  seed=0,
  batch_size=256,
  overwrite=False,
):
  """Scores an exported model and writes scores.json and TensorBoard scalars.

  Args:
    model: an export's folder.
    measurements: the `Measurement`s to take.
    output_dir: folder for the results.
    data: the `GroundTruthData` to score on; by default the one the manifest names.
    num_points, num_test_points: points for all measurements, in place of their own.
    seed: of the points drawn and of the metrics' own randomness.
    batch_size: images encoded at a time.
    overwrite: move an existing `output_dir` aside first.

  Returns:
    The content of scores.json.
  """
  measurements = [m.with_points(num_points, num_test_points) for m in measurements]
  exported = ExportedModel(model)
  data = data_from_config(exported.manifest["data"]) if data is None else data
  for measurement in measurements:
    if measurement.needs_factors and not data.labelled:
      raise UserError(
        f"{data.name} has no ground-truth factors, so {measurement.name} cannot be "
        "measured on it: name another data set, or other metrics"
      )
  if exported.observation_shape != tuple(data.observation_shape):
    raise UserError(
      f"{model} takes images of shape {exported.observation_shape}, {data.name} gives "
      f"{tuple(data.observation_shape)}: name the data it was trained on with --data"
    )
  output_dir = prepare_output_dir(output_dir, overwrite=overwrite)
  try:
    result = _measure(exported, data, measurements, seed=seed, batch_size=batch_size)
  except BaseException:
    output_dir.rmdir()  # nothing has been written yet
    raise
  result["model"]["path"] = str(model)
  write_json(output_dir / "scores.json", result)
  _write_summaries(output_dir, result["scores"], exported.manifest["step"])
  return result


def _measure(exported, data, measurements, *, seed, batch_size):
  """The content of scores.json, but for the model's path."""
  table = CodesTable.of_model(
    exported.encode_distribution,
    data,
    reconstruct=exported.reconstruct if exported.has_decoder else None,
    batch_size=batch_size,
  )
  scores, seconds, skipped = {}, {}, {}
  for measurement in measurements:
    if measurement.needs_decoder and not exported.has_decoder:
      skipped[measurement.name] = "the model has no decoder"
      continue
    started = time.perf_counter() - table.seconds
    found = _finite(measurement.scores(table, seed=seed), measurement.name)
    seconds[measurement.name] = time.perf_counter() - table.seconds - started
    _check_names(found, scores, measurement.name)
    scores |= found
  seconds["encode"] = table.seconds
  return {
    "scores": scores,
    "skipped": skipped,
    "settings": {m.name: m.settings() for m in measurements},
    "seed": seed,
    "data": data_to_config(data),
    "model": {"sha256": exported.sha256, "step": exported.manifest["step"]},
    "versions": package_versions(),
    "seconds": {name: round(value, 3) for name, value in seconds.items()},
  }


def _finite(scores, name):
  for key, value in scores.items():
    if not math.isfinite(value):
      raise UserError(f"metric {name} gave {value} for {key}")
  return scores


def _check_names(found, scores, name):
  twice = sorted(set(found) & set(scores))
  if twice:
    raise UserError(
      f"{name} gives a score {twice[0]!r} and so does another metric: set the prefix "
      "of its evaluation.Measurement"
    )


def _write_summaries(directory, scores, step):
  with tf.summary.create_file_writer(str(directory)).as_default(step=step):
    for name, value in scores.items():
      tf.summary.scalar(f"scores/{name}", value)
