import json

import pytest
from shared_checks import tiny_data

from disentangle_tf.data import data_from_config, data_to_config
from disentangle_tf.errors import UserError


def test_round_trip_through_json():
  config = json.loads(json.dumps(data_to_config(tiny_data(grid_spacing=1))))
  assert data_to_config(data_from_config(config)) == config


@pytest.mark.parametrize("name", [None, "os", "Batches", "GroundTruth", "__doc__"])
def test_only_our_own_data_sets_are_made(name):
  with pytest.raises(UserError, match="--data"):
    data_from_config({"class": name, "arguments": {}})


def test_unknown_arguments_are_reported():
  with pytest.raises(UserError, match="cannot be made again"):
    data_from_config({"class": "XYSquares", "arguments": {"colour": 1}})
