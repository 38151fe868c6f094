import json

import pytest
from shared_checks import tiny_data

from disentangle_tf import data as data_sets
from disentangle_tf.data import FactorSubset, data_from_config, data_to_config
from disentangle_tf.data.serialisation import is_made_here
from disentangle_tf.errors import UserError


def test_round_trip_through_json():
  config = json.loads(json.dumps(data_to_config(tiny_data(grid_spacing=1))))
  assert data_to_config(data_from_config(config)) == config


def test_a_class_of_somebody_elses_is_never_taken_for_ours():
  class XYSquares(data_sets.XYSquares):  # the name of a class of this package
    pass

  theirs = data_to_config(XYSquares(num_squares=1))
  assert theirs["class"] == f"{__name__}.XYSquares"
  with pytest.raises(UserError, match="not part of this package"):
    data_from_config(theirs)
  inside = data_to_config(FactorSubset(XYSquares(num_squares=1), ("x_R",)))
  assert not is_made_here(theirs) and not is_made_here(inside)
  assert is_made_here(data_to_config(FactorSubset(tiny_data(), ("x_R",))))


@pytest.mark.parametrize("name", [None, "os", "Batches", "GroundTruth", "__doc__"])
def test_only_our_own_data_sets_are_made(name):
  with pytest.raises(UserError, match="data="):
    data_from_config({"class": name, "arguments": {}})


def test_unknown_arguments_are_reported():
  with pytest.raises(UserError, match="cannot be made again"):
    data_from_config({"class": "XYSquares", "arguments": {"colour": 1}})
