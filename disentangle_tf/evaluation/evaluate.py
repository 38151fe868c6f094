"""Scores of a model, on disk and in TensorBoard."""

import math
import time

import tensorflow as tf

from disentangle_tf.data import data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.report import write_report
from disentangle_tf.evaluation.subject import open_subject
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
  reading=None,
  trusted=False,
  limits=None,
  overwrite=False,
):
  """Scores a model and writes scores.json, report.html and TensorBoard scalars.

  Args:
    model: an export of this project, any other SavedModel, a TF-Hub module, an .onnx or
      .keras file, or codes in an .npz or .npy file.
    measurements: the `Measurement`s to take.
    output_dir: folder for the results.
    data: the `GroundTruthData` to score on; by default the one the manifest names.
    num_points, num_test_points: points for all measurements, in place of their own.
    seed: of the points drawn and of the metrics' own randomness.
    batch_size: images encoded at a time.
    reading: a `foreign.reading.Reading`, how the model is to be read.
    trusted: run the model in this process instead of a confined one, whatever the scan
      found.
    limits: `foreign.limits.Limits` of what it may use up.
    overwrite: move an existing `output_dir` aside first.

  Returns:
    The content of scores.json.
  """
  measurements = [m.with_points(num_points, num_test_points) for m in measurements]
  options = {"reading": reading, "trusted": trusted, "limits": limits}
  with open_subject(model, data=data, batch_size=batch_size, **options) as subject:
    _check_labelled(subject.data, measurements)
    output_dir = prepare_output_dir(output_dir, overwrite=overwrite)
    try:
      result = _measure(subject, measurements, seed)
      result["model"]["path"] = str(model)
      write_report(output_dir / "report.html", subject, result)
    except BaseException:
      output_dir.rmdir()  # nothing has been written yet
      raise
  write_json(output_dir / "scores.json", result)
  _write_summaries(output_dir, result["scores"], result["model"]["step"] or 0)
  return result


def _check_labelled(data, measurements):
  for measurement in measurements:
    if measurement.needs_factors and data is not None and not data.labelled:
      raise UserError(
        f"{data.name} has no ground-truth factors, so {measurement.name} cannot be "
        "measured on it: name another data set, or other metrics"
      )


def _measure(subject, measurements, seed):
  """The content of scores.json, but for the model's path."""
  table, data = subject.table, subject.data
  scores, seconds, skipped = {}, {}, {}
  for measurement in measurements:
    missing = measurement.missing_in(table)
    if missing:
      skipped[measurement.name] = missing
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
    "data": data_to_config(data) if data else {"class": None, "arguments": {}},
    "model": subject.record,
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
