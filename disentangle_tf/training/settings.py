"""Settings of a training, in groups that check their values."""

from __future__ import annotations

import collections.abc
import dataclasses
import typing
from collections.abc import Callable, Sequence

import tensorflow as tf

from disentangle_tf.arguments import (
  check_choice,
  check_count,
  check_instance,
  check_truth,
)
from disentangle_tf.data import LabelledSet, draw_single
from disentangle_tf.errors import UserError, suggest
from disentangle_tf.half_precision import HALF_PRECISIONS
from disentangle_tf.scoring.measurement import check_measurements

if typing.TYPE_CHECKING:
  from disentangle_tf.scoring.measurement import Measurement


@dataclasses.dataclass(frozen=True)
class Sampling:
  """What a batch of `train` consists of, see `data.Batches`.

  Args:
    draw: sampler of a batch's factors, such as `data.draw_single` or `data.draw_pairs`.
    label_of: function of the drawn factors that returns a label of the pair, such as
      `data.changed_factors`; None adds no label.
    labelled_set: a `data.LabelledSet`; each batch then includes a batch of it. None
      trains without labels.

  Raises:
    UserError: for a value of another kind.

  Example:
    >>> from disentangle_tf import data, training
    >>> training.Sampling(draw=data.draw_pairs).draw.__name__
    'draw_pairs'
  """

  draw: Callable = draw_single
  label_of: Callable | None = None
  labelled_set: LabelledSet | None = None

  def __post_init__(self) -> None:
    if not callable(self.draw):
      raise UserError(
        f"Sampling.draw is {self.draw!r}: it must be a sampler such as data.draw_single"
      )
    if self.label_of is not None and not callable(self.label_of):
      raise UserError(
        f"Sampling.label_of is {self.label_of!r}: it must be a function of the factors "
        "such as data.changed_factors"
      )
    if self.labelled_set is not None and not hasattr(self.labelled_set, "make"):
      raise UserError(
        f"Sampling.labelled_set is {self.labelled_set!r}: it must be a data.LabelledSet"
      )


_PRECISIONS = ("float32", *HALF_PRECISIONS)


@dataclasses.dataclass(frozen=True)
class Computing:
  """How the steps of `train` are computed.

  Args:
    strategy: a `tf.distribute.Strategy`; by default the first GPU, or else the CPU.
      Replicas share each batch, and the result is that of one replica. Two things
      differ: batch normalisation that is not synchronised, and random images of data
      whose factors do not determine the image.
    jit_compile: compile the step with XLA. By default on a GPU, and on a CPU for 1,000
      or more float32 steps of networks without convolutions, which take 0.5 to 0.8
      times as long; convolutions take 2 to 3 times as long. With several replicas XLA
      compiles the gradients, unless the loss needs all replicas at once.
    precision: Keras dtype policy: float32, mixed_float16 or mixed_bfloat16.
    deterministic: repeat bit for bit; somewhat slower.
    tensor_float_32: on NVIDIA GPUs since Ampere, round the factors of float32 products
      to 10 bits in training steps. On by default, as in TensorFlow: steps are faster,
      and the noise of batches and latents is far larger than the rounding. It is always
      off where scores and distances are computed, during training too.

  Raises:
    UserError: for a value of another kind.

  Example:
    >>> from disentangle_tf import training
    >>> training.Computing(precision="mixed_bfloat16").precision
    'mixed_bfloat16'
  """

  strategy: tf.distribute.Strategy | None = None
  jit_compile: bool | None = None
  precision: str = "float32"
  deterministic: bool = False
  tensor_float_32: bool = True

  def __post_init__(self) -> None:
    if self.strategy is not None:
      example = "tf.distribute.MirroredStrategy()"
      check_instance(
        "Computing", tf.distribute.Strategy, example, strategy=self.strategy
      )
    if self.jit_compile is not None:
      check_truth("Computing", jit_compile=self.jit_compile)
    check_choice("Computing", _PRECISIONS, precision=self.precision)
    check_truth(
      "Computing",
      deterministic=self.deterministic,
      tensor_float_32=self.tensor_float_32,
    )


@dataclasses.dataclass(frozen=True)
class Watching:
  """What TensorBoard shows of a run of `train`.

  Args:
    log_every: steps between two entries of losses, divergences and speed.
    pictures_every: steps between two entries of reconstructions and traversals.
    distances: show distances between factors, images, codes and reconstructions, and
      their agreement, every `pictures_every` steps; the factors must be a whole grid.
    trace_graph: record the graph of the training step.
    profile: record a profile of some steps.

  Raises:
    UserError: for a value of another kind.

  Example:
    >>> from disentangle_tf import training
    >>> training.Watching(log_every=10).pictures_every
    1000
  """

  log_every: int = 100
  pictures_every: int = 1000
  distances: bool = False
  trace_graph: bool = False
  profile: bool = False

  def __post_init__(self) -> None:
    check_count(
      "Watching", log_every=self.log_every, pictures_every=self.pictures_every
    )
    check_truth(
      "Watching",
      distances=self.distances,
      trace_graph=self.trace_graph,
      profile=self.profile,
    )


@dataclasses.dataclass(frozen=True)
class Saving:
  """Which checkpoints `train` writes.

  Args:
    checkpoint_every: steps between two checkpoints.
    keep_checkpoints: number of checkpoints to keep, the newest ones.

  Raises:
    UserError: unless both are whole numbers from 1 up.

  Example:
    >>> from disentangle_tf import training
    >>> training.Saving(checkpoint_every=10_000).keep_checkpoints
    3
  """

  checkpoint_every: int = 1000
  keep_checkpoints: int = 3

  def __post_init__(self) -> None:
    check_count(
      "Saving",
      checkpoint_every=self.checkpoint_every,
      keep_checkpoints=self.keep_checkpoints,
    )


@dataclasses.dataclass(frozen=True)
class Scoring:
  """Scores of a model while `train` runs; none by default.

  They are written to TensorBoard and to scores.jsonl in the run's folder. Each time
  adds one line {"step": ..., "scores": {name: value}, "measured": {measurement:
  {"scores": [name], "settings": {...}}}, ...}, with the conditions that scores.json
  records. Scores do not change the training.

  Args:
    measurements: the `scoring.Measurement`s to take, such as
      `scoring.protocols.MICHLO_DURING_TRAINING`.
    every: steps between two scores; or {name of a measurement: steps}.
    in_background: compute scores in a child process while training goes on, from codes
      that are encoded at their step. The scores are the same. Metrics that need more
      than codes and factors, such as images, are still computed at once, as are your
      own. By default on a GPU; on a CPU the child would share the cores with the steps.

  Raises:
    UserError: if `every` does not name each measurement once.

  Example:
    >>> from disentangle_tf import metrics, training
    >>> from disentangle_tf.scoring import Measurement
    >>> mig, sap = Measurement(metrics.mig), Measurement(metrics.sap)
    >>> scoring = training.Scoring((mig, sap), every={"mig": 200, "sap": 300})
    >>> [measurement.name for measurement in scoring.due(400)]
    ['mig']
  """

  measurements: tuple = ()
  every: int | collections.abc.Mapping = 1000
  in_background: bool | None = None

  def __post_init__(self) -> None:
    if self.in_background is not None:
      check_truth("Scoring", in_background=self.in_background)
    if self.measurements:
      check_measurements(self.measurements, whose="Scoring")
    if isinstance(self.every, collections.abc.Mapping):
      self._check_names(self.every)
      check_count("Scoring", **{f"every[{n!r}]": n_ for n, n_ in self.every.items()})
    else:
      check_count("Scoring", every=self.every)

  def with_measurements(self, measurements: Sequence[Measurement]) -> Scoring:
    """The same scoring with `measurements` in place of its own, in the same order.

    Their names may differ: a predictor, for example, is part of the name.
    """
    every = self.every
    if isinstance(every, collections.abc.Mapping):
      pairs = zip(self.measurements, measurements, strict=True)
      every = {new.name: every[old.name] for old, new in pairs}
    return dataclasses.replace(self, measurements=tuple(measurements), every=every)

  def due(self, step: int) -> list[Measurement]:
    """The measurements to take after `step`."""
    return [m for m in self.measurements if step % self._period(m) == 0]

  @property
  def periods(self) -> list[int]:
    """Steps between two scores, for each measurement."""
    return [self._period(measurement) for measurement in self.measurements]

  def _period(self, measurement: Measurement) -> int:
    every = self.every
    if isinstance(every, collections.abc.Mapping):
      return every[measurement.name]
    return every

  def _check_names(self, every: collections.abc.Mapping) -> None:
    names = [measurement.name for measurement in self.measurements]
    for name in every:
      if name not in names:
        raise UserError(
          f"Scoring.every names {name!r}, which is not measured{suggest(name, names)}"
        )
    for name in names:
      if name not in every:
        raise UserError(f"Scoring.every has no number of steps for {name!r}")
