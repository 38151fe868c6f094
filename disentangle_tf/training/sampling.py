"""Settings of what a batch consists of: the sampler of factors, and labels."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from disentangle_tf.data import LabelledSet, draw_single
from disentangle_tf.errors import UserError


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
