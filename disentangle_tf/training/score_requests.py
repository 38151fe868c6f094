"""What the scores of a step are computed from: arrays, without the model.

A request can be written to a file and answered by another process. This module and
`scoring_child` load no TensorFlow.
"""

from __future__ import annotations

import dataclasses
import json
import math
import typing
from collections.abc import Callable, Mapping

import numpy as np

from disentangle_tf import metrics
from disentangle_tf.output_files import whole_file
from disentangle_tf.scoring.metric_inputs import scores_of

if typing.TYPE_CHECKING:
  import pathlib

_SENT = {  # inputs of metrics that a file can hold, and that are small
  *("codes", "factors", "test_codes", "test_factors", "rng"),
  *("log_variances", "standard_deviations", "prior_codes"),
}


@dataclasses.dataclass(frozen=True)
class Part:
  """One measurement of a request, with what its scores are computed from.

  Attributes:
    name, settings: what scores.jsonl records of the measurement.
    metric: the function that computes the scores.
    inputs: {argument: array or `numpy.random.Generator`}, drawn for this step.
    options: {argument: setting}.
    prefix: put before the names of the scores.
  """

  name: str
  settings: Mapping[str, typing.Any]
  metric: Callable[..., dict]
  inputs: Mapping[str, typing.Any]
  options: Mapping[str, typing.Any]
  prefix: str

  def computed(self) -> dict[str, typing.Any]:
    """{"scores": {name: finite score}, "settings": the settings}."""
    found = scores_of(self.metric, self.inputs, self.options, self.prefix)
    finite = {name: value for name, value in found.items() if math.isfinite(value)}
    return {"scores": finite, "settings": self.settings}

  @property
  def can_be_written(self) -> bool:
    """Whether a file can hold it: a metric of this package, its arrays and options."""
    known = getattr(metrics, self.metric.__name__, None) is self.metric
    return known and self.inputs.keys() <= _SENT and _is_json(self.options)


@dataclasses.dataclass(frozen=True)
class Request:
  """The scores of one step.

  Attributes:
    line: the entries of scores.jsonl that are known: step and conditions.
    parts: {measurement: `Part`, or its scores and settings where they are known}.
  """

  line: dict[str, typing.Any]
  parts: dict[str, Part | dict[str, typing.Any]]

  def answer(self) -> dict[str, typing.Any]:
    """Compute what is not known yet; return the line of scores.jsonl."""
    scores, measured = {}, {}
    for name, part in self.parts.items():
      known = part.computed() if isinstance(part, Part) else part
      scores |= known["scores"]
      measured[name] = {"scores": list(known["scores"]), "settings": known["settings"]}
    step = self.line["step"]
    return {"step": step, "scores": scores, "measured": measured, **self.line}

  def write(self, path: pathlib.Path) -> None:
    """Write the request; each of its `Part`s `can_be_written`."""
    arrays, parts = {}, {}
    for name, part in self.parts.items():
      if isinstance(part, Part):
        arrays |= {f"{name}/{key}": array for key, array in _arrays(part).items()}
        part = _described(part)
      parts[name] = part
    arrays["request"] = np.array(json.dumps({"line": self.line, "parts": parts}))
    with whole_file(path) as temporary, temporary.open("wb") as file:
      np.savez(file, **arrays)

  @classmethod
  def read(cls, path: pathlib.Path) -> Request:
    """Read what `write` wrote; no code in the file is run."""
    with np.load(path, allow_pickle=False) as file:
      content = json.loads(file["request"].item())
      parts = {}
      for name, part in content["parts"].items():
        if "metric" not in part:
          parts[name] = part
          continue
        inputs = {key: file[f"{name}/{key}"] for key in part.pop("arrays")}
        if part["rng"] is not None:
          inputs["rng"] = np.random.default_rng(0)
          inputs["rng"].bit_generator.state = part["rng"]
        del part["rng"]
        part["metric"] = getattr(metrics, part["metric"])
        parts[name] = Part(name=name, inputs=inputs, **part)
    return cls(content["line"], parts)


def _described(part: Part) -> dict[str, typing.Any]:
  rng = part.inputs.get("rng")
  return {
    "metric": part.metric.__name__,
    "settings": part.settings,
    "options": part.options,
    "prefix": part.prefix,
    "rng": None if rng is None else rng.bit_generator.state,
    "arrays": list(_arrays(part)),
  }


def _arrays(part: Part) -> dict[str, np.ndarray]:
  return {key: value for key, value in part.inputs.items() if key != "rng"}


def _is_json(options: Mapping[str, typing.Any]) -> bool:
  """Whether the options are the same after a round trip through JSON."""
  try:
    return json.loads(json.dumps(options)) == options
  except (TypeError, ValueError):
    return False
