import dataclasses

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.training import Saving


def test_is_printable_comparable_and_fixed():
  saving = Saving(checkpoint_every=20)
  assert saving == Saving(20, 3) != Saving()
  assert repr(saving) == "Saving(checkpoint_every=20, keep_checkpoints=3)"
  with pytest.raises(dataclasses.FrozenInstanceError):
    saving.keep_checkpoints = 1


@pytest.mark.parametrize("name", ["checkpoint_every", "keep_checkpoints"])
@pytest.mark.parametrize("value", [0, -3, 1.5, "ten"])
def test_counts_must_be_counts(name, value):
  with pytest.raises(UserError, match=rf"^Saving\.{name} is {value!r}: it must be"):
    Saving(**{name: value})
