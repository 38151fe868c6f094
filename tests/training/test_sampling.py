import dataclasses

import pytest
from shared_checks import tiny_data

from disentangle_tf import data
from disentangle_tf.errors import UserError
from disentangle_tf.training import Sampling


def test_by_default_a_batch_is_single_images_without_labels():
  sampling = Sampling()
  assert sampling.draw is data.draw_single
  assert sampling.label_of is None and sampling.labelled_set is None


def test_is_printable_comparable_and_fixed():
  pairs = Sampling(draw=data.draw_pairs, label_of=data.changed_factors)
  assert pairs == Sampling(data.draw_pairs, data.changed_factors) != Sampling()
  assert "draw_pairs" in repr(pairs)
  with pytest.raises(dataclasses.FrozenInstanceError):
    pairs.draw = data.draw_single


def test_takes_a_labelled_set():
  labelled = data.LabelledSet(tiny_data(), num_labelled=4)
  assert Sampling(labelled_set=labelled).labelled_set is labelled


@pytest.mark.parametrize(
  ("options", "message"),
  [
    ({"draw": "pairs"}, r"^Sampling\.draw is 'pairs': it must be a sampler such as"),
    ({"draw": None}, r"^Sampling\.draw is None"),
    (
      {"label_of": 3},
      r"^Sampling\.label_of is 3: it must be a function of the factors",
    ),
    ({"labelled_set": 100}, r"^Sampling\.labelled_set is 100: .* data\.LabelledSet"),
  ],
)
def test_wrong_values_are_named(options, message):
  with pytest.raises(UserError, match=message):
    Sampling(**options)
