import dataclasses

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.training import Watching


def test_is_printable_comparable_and_fixed():
  watching = Watching(log_every=5)
  assert watching == Watching(5, 1000) != Watching()
  assert repr(watching) == (
    "Watching(log_every=5, pictures_every=1000, distances=False, trace_graph=False, "
    "profile=False)"
  )
  with pytest.raises(dataclasses.FrozenInstanceError):
    watching.log_every = 6


@pytest.mark.parametrize("name", ["log_every", "pictures_every"])
@pytest.mark.parametrize("value", [0, -3, 1.5, "ten"])
def test_counts_must_be_counts(name, value):
  with pytest.raises(UserError, match=rf"^Watching\.{name} is {value!r}: it must be"):
    Watching(**{name: value})


@pytest.mark.parametrize("name", ["distances", "trace_graph", "profile"])
def test_a_text_is_no_truth_value(name):
  with pytest.raises(
    UserError, match=rf"^Watching\.{name} is 'no': it must be True or"
  ):
    Watching(**{name: "no"})
