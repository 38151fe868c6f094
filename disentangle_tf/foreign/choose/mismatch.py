"""The error for a model without a fitting function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  from collections.abc import Sequence

  from disentangle_tf.foreign.look.offer import Offer


def mismatch(problem: str, offers: Sequence[Offer]) -> UserError:
  """Make a `UserError` that names the problem and the model's functions."""
  listed = " | ".join(map(str, offers))
  return UserError(f"{problem}; the model offers {listed}")
