"""disentanglement_lib's result files as a results table."""

from __future__ import annotations

import ast
import json
import math
import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello.published_models import DATA, SWEEPS
from disentangle_tf.studies.results_table import results_table

if TYPE_CHECKING:
  import pandas as pd

_PATTERN = "metrics/*/*/results/aggregate/evaluation.json"
_SIZES = (10, 100, 1_000, 10_000)

# {metric there: {result there: score here}}.
_SCORES = {
  "beta_vae_sklearn": {"eval_accuracy": "beta_vae_eval_accuracy"},
  "factor_vae_metric": {"eval_accuracy": "factor_vae_eval_accuracy"},
  "mig": {"discrete_mig": "mig"},
  "modularity_explicitness": {
    "modularity_score": "modularity",
    "explicitness_score_test": "explicitness_test",
  },
  "dci": {
    "disentanglement": "disentanglement",
    "completeness": "completeness",
    "informativeness_test": "informativeness_test",
  },
  "sap_score": {"SAP_score": "sap"},
  "irs": {"IRS": "irs"},
  "unsupervised": {
    "gaussian_total_correlation": "gaussian_total_correlation",
    "gaussian_wasserstein_correlation": "gaussian_wasserstein_correlation",
    "gaussian_wasserstein_correlation_norm": "gaussian_wasserstein_correlation_norm",
    "mutual_info_score": "mutual_information",
  },
  "downstream_task_logistic_regression": {
    f"{size}:mean_test_accuracy": f"accuracy_{size}" for size in _SIZES
  },
  "downstream_task_boosted_trees": {
    f"{size}:mean_test_accuracy": f"accuracy_{size}_gradient_boosting"
    for size in _SIZES
  },
}
_OF_TRAINING = {
  "reconstruction_loss": "reconstruction_nats",
  "kl_loss": "kl",
  "elbo": "elbo",
}
_PREFIXES = {"mean": "", "sampled": "sampled_"}


def read_dlib_results(
  folder: str | os.PathLike[str], *, planned: int | None = None
) -> pd.DataFrame:
  """Read all scores that disentanglement_lib wrote below a folder, with our names.

  The published models are folders 0, 1, ... (see `dlib_index`) that have
  metrics/REPRESENTATION/METRIC/results/aggregate/evaluation.json; other studies of
  that library have the same layout. Scores of sampled codes are called "sampled_..."
  here. A score that is NaN there is a missing row. The statistical efficiency is
  computed: accuracy after 100 labels over that after 10,000.

  Args:
    folder: path; models may lie in it at any depth.
    planned: number of models that should exist, see `results_table`.

  Returns:
    The results table. The strength of a model is the place of its swept value among
    those of the published study; or among those found, if one of them is not of that
    study.
  """
  folder = pathlib.Path(folder)
  models = {}
  for path in sorted(folder.rglob(_PATTERN)):
    root = path.parents[5]
    model = models.setdefault(root.relative_to(folder).as_posix(), {"scores": {}})
    _add(model, path)
  if not models:
    raise UserError(f"{folder} has no model with a file {_PATTERN}")
  strengths = _strengths(models.values())
  rows = []
  for run, model in models.items():
    _add_efficiencies(model["scores"])
    shared = {
      "run": run,
      "method": model["method"],
      "data": model["data"],
      "setting": f"{model['swept']}={model['value']!r}",
      "strength": strengths[model["method"]].index(model["value"]),
      "seed": model["seed"],
      "step": model["step"],
    }
    for score, value in model["scores"].items():
      rows.append({**shared, "score": score, "value": value})
  return results_table(rows, taken="last", planned=planned)


def _add(model: dict[str, Any], path: pathlib.Path) -> None:
  """Add the content of one file to its model."""
  content = _read(path)
  for name, value in _configuration(content, path).items():
    if model.setdefault(name, value) != value:
      raise UserError(
        f"{path}: {name} is {value!r}, but {model[name]!r} in another file of this "
        "model"
      )
  representation, metric = path.parents[3].name, path.parents[2].name
  told = _text(content, "evaluation_config.evaluation.name", path, default=metric)
  if told != metric:
    raise UserError(f"{path}: it has the scores of {told!r}, but lies in {metric}")
  if representation not in _PREFIXES:
    raise UserError(f"{path}: codes are mean or sampled, not {representation!r}")
  prefix = _PREFIXES[representation]
  found = {}
  for result, score in _SCORES.get(metric, {}).items():
    found[prefix + score] = content.get(f"evaluation_results.{result}")
  for result, score in _OF_TRAINING.items():
    found[score] = content.get(f"train_results.{result}")
  for score, value in found.items():
    if value is None:
      continue
    if isinstance(value, bool) or not isinstance(value, int | float):
      raise UserError(f"{path}: the score {score} is {value!r}, which is no number")
    if math.isfinite(value):
      model["scores"][score] = float(value)


def _read(path: pathlib.Path) -> dict[str, Any]:
  try:
    content = json.loads(path.read_text(encoding="utf-8"))
  except (OSError, ValueError, RecursionError) as error:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    raise UserError(f"{path} cannot be read: {reason}") from None
  if not isinstance(content, dict):
    raise UserError(f"{path}: it must be a JSON object")
  return content


def _configuration(content: dict[str, Any], path: pathlib.Path) -> dict[str, Any]:
  """Method, data set, swept value, seed and steps of the model."""
  name = _text(content, "train_config.model.name", path)
  if name not in SWEEPS:
    known = ", ".join(SWEEPS)
    raise UserError(f"{path}: the model is {name!r}, which is not one of {known}")
  method, binding, _ = SWEEPS[name]
  data = _text(content, "train_config.dataset.name", path)
  return {
    "method": method,
    "data": DATA.get(data, data),
    "swept": binding.split(".")[-1],
    "value": _number(content, f"train_config.{binding}", path),
    "seed": _whole(content, "train_config.model.random_seed", path),
    "step": _whole(content, "train_config.model.training_steps", path),
  }


def _literal(content: dict[str, Any], key: str, path: pathlib.Path) -> object:
  """A configuration value, which is the text of a Python literal."""
  if key not in content:
    raise UserError(f"{path}: it has no {key}")
  try:
    return ast.literal_eval(content[key])
  except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
    raise UserError(f"{path}: {key} is {content[key]!r}, not a value of gin") from None


def _text(
  content: dict[str, Any], key: str, path: pathlib.Path, default: str | None = None
) -> str:
  if key not in content and default is not None:
    return default
  value = _literal(content, key, path)
  if not isinstance(value, str):
    raise UserError(f"{path}: {key} is {value!r}, it must be a text")
  return value


def _number(content: dict[str, Any], key: str, path: pathlib.Path) -> float:
  value = _literal(content, key, path)
  if isinstance(value, bool) or not isinstance(value, int | float):
    raise UserError(f"{path}: {key} is {value!r}, it must be a number")
  return float(value)


def _whole(content: dict[str, Any], key: str, path: pathlib.Path) -> int:
  value = _number(content, key, path)
  if not value.is_integer():
    raise UserError(f"{path}: {key} is {value!r}, it must be a whole number")
  return int(value)


def _strengths(models: Iterable[dict[str, Any]]) -> dict[str, list[float]]:
  """{method: its swept values in ascending order}."""
  found = {}
  for model in models:
    found.setdefault(model["method"], set()).add(model["value"])
  published = {
    method: [float(v) for v in values] for method, _, values in SWEEPS.values()
  }
  return {
    method: published[method] if values <= set(published[method]) else sorted(values)
    for method, values in found.items()
  }


def _add_efficiencies(scores: dict[str, float]) -> None:
  for end in ("", "_gradient_boosting"):
    few, many = (scores.get(f"accuracy_{size}{end}") for size in (100, 10_000))
    if few is not None and many:
      scores[f"efficiency{end}"] = few / many
