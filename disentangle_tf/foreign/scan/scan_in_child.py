"""Scans a model's files, inside the sandbox; nothing of the model runs."""

from __future__ import annotations

import dataclasses
import importlib.util
import pathlib
import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
  import os
  from typing import Any


def forgo_tensorflow() -> None:
  """Make TensorFlow's message classes importable without TensorFlow itself.

  For a process that only scans: TensorFlow takes seconds to load, and its messages do
  not need it. It cannot be loaded afterwards.
  """
  package = types.ModuleType("tensorflow")
  found = importlib.util.find_spec("tensorflow")
  if found and found.submodule_search_locations:
    package.__path__ = list(found.submodule_search_locations)
  sys.modules["tensorflow"] = package


def look_at(kind: str, path: str | os.PathLike) -> dict[str, Any]:
  """Scan a model, and describe it in plain lists and dicts.

  Args:
    kind: kind of the model, from `find_kind`.
    path: the private copy of its folder or file.

  Returns:
    {"verdict": a `Verdict`, "offers": a list of `Offer`s, "kind": for
    `running.load_model`, "tags": of the graph to load, None unless it is of
    TensorFlow 1}.
  """
  found = {"kind": kind, "tags": None, **_LOOKS[kind](pathlib.Path(path))}
  found["verdict"] = dataclasses.asdict(found["verdict"])
  found["offers"] = [dataclasses.asdict(offer) for offer in found["offers"]]
  return found


def _saved_model(path: pathlib.Path) -> dict[str, Any]:
  from disentangle_tf.foreign.scan import scan_saved_model
  from disentangle_tf.foreign.scan.scan_saved_model import saved_model_offers

  saved_model = scan_saved_model.parse_saved_model(
    (path / "saved_model.pb").read_bytes()
  )
  verdict = scan_saved_model.scan_saved_model(saved_model)
  if not saved_model.meta_graphs:
    return {"verdict": verdict, "offers": []}
  graph = scan_saved_model.main_graph(saved_model)
  old = scan_saved_model.kind_of(saved_model) != "TF 2 SavedModel"
  return {
    "verdict": verdict,
    "offers": saved_model_offers(graph),
    "tags": sorted(graph.meta_info_def.tags) if old else None,
  }


def _onnx(path: pathlib.Path) -> dict[str, Any]:
  from disentangle_tf.foreign.scan.scan_onnx import look_at_onnx

  verdict, offers = look_at_onnx(path)
  return {"verdict": verdict, "offers": offers}


def _keras(path: pathlib.Path) -> dict[str, Any]:
  from disentangle_tf.foreign.scan.scan_keras import look_at_keras

  verdict, offers, kind = look_at_keras(path)
  return {"verdict": verdict, "offers": offers, "kind": kind}


_LOOKS = {"saved_model": _saved_model, "onnx": _onnx, "keras": _keras}
