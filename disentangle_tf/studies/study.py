"""`Study`: the description of a study."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from disentangle_tf.arguments import check_choice
from disentangle_tf.studies.folders import KEEP
from disentangle_tf.studies.plan import Plan, no_contents, plan_study


@dataclasses.dataclass(frozen=True)
class Study:
  """Which models to train and score, and which plots to draw.

  Attributes:
    runs: {method: [gin files]}, or {method: {"files": [gin files], "bindings": [gin
      bindings], "sweep": {gin binding: [values]}}} for a method with its own settings
      and sweep. In Python, a method may be a function: it takes the swept settings and
      `seed` by name and returns a `Run`.
    data: {label: [gin files]} of data sets, on each of which every method is trained,
      or {label: {"files": [gin files], "settings": {gin binding: value}}} for a set
      with settings; by default each run names its data set.
    sweep: {gin binding: [values]} of all methods; every combination is tried.
    seeds: the number of seeds, counted from 0, or a list of seeds.
    files: gin files that every run reads last, such as another data set.
    bindings: gin bindings of every run, such as "STEPS=100".
    metrics: name of a protocol of `scoring.protocols`, in lower case, or a gin
      file of the metrics, whose name ends in .gin.
    plots: functions that return {file name: figure or Markdown}. The name of their
      argument decides what they get: `table` (the results, a pandas frame) or
      `finished` ([`FinishedRun`]).
    keep: what remains of a finished run: "all", "export" (no checkpoints) or
      "scores" (no export either).

  Example:
    >>> from disentangle_tf import studies
    >>> study = studies.Study(
    ...   runs={"beta-VAE": ["gin/runs/demo_mse.gin"]},
    ...   sweep={"BETA": [0.001, 0.01]},
    ...   seeds=5,
    ... )
    >>> len(study.plans())
    10
  """

  runs: dict
  data: dict | None = None
  sweep: dict | None = None
  seeds: int | list[int] | tuple[int, ...] = 1
  files: tuple = ()
  bindings: tuple = ()
  metrics: str = "michlo_during_training"
  plots: tuple = ()
  keep: str = "export"

  def __post_init__(self) -> None:
    check_choice("Study", KEEP, keep=self.keep)

  def plans(
    self,
    read: Callable[[list[str]], str] = str,
    contents: Callable[[str], dict[str, str]] = no_contents,
  ) -> list[Plan]:
    """Plan the runs; see `plan_study` for `read` and `contents`."""
    return plan_study(
      self.runs,
      data=self.data,
      sweep=self.sweep,
      seeds=self.seeds,
      files=self.files,
      bindings=self.bindings,
      metrics=self.metrics,
      read=read,
      contents=contents,
    )
