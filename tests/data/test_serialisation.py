import inspect
import json
import re

import pytest
from command_calls import ROOT
from shared_checks import tiny_data

from disentangle_tf import data as data_sets
from disentangle_tf.data import (
  FactorSubset,
  check_foreign_data,
  data_from_config,
  data_to_config,
  serialisation,
)
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


EVERY = {
  name: made
  for name, made in vars(data_sets).items()
  if isinstance(made, type) and issubclass(made, data_sets.GroundTruthData)
}


@pytest.mark.parametrize("name", serialisation._ARGUMENTS)
def test_the_arguments_are_those_of_the_set(name):
  parameters = inspect.signature(EVERY[name]).parameters
  assert set(serialisation._ARGUMENTS[name]) == set(parameters)


def test_the_documentation_names_them_all():
  text = (ROOT / "docs" / "evaluating.md").read_text(encoding="utf-8")
  passage = text.partition("may name only")[2].partition("For all others")[0]
  assert set(re.findall(r"`(\w+)`", passage)) == set(serialisation._ARGUMENTS)


@pytest.mark.parametrize(
  "make",
  [
    tiny_data,
    data_sets.XYSquares,
    data_sets.Pinwheel,
    data_sets.DSprites,
    lambda: data_sets.FactorSubset(tiny_data(), ("x_R", "y_G")),
  ],
)
def test_sets_without_files_are_made(make):
  check_foreign_data(json.loads(json.dumps(data_to_config(make()))))


@pytest.mark.parametrize("name", sorted(set(EVERY) - set(serialisation._ARGUMENTS)))
def test_all_others_are_not(name):
  with pytest.raises(UserError, match=f"may not name the data set {name}"):
    check_foreign_data({"class": name, "arguments": {}})


def subset(config, times=1):
  for _ in range(times):
    config = {"class": "FactorSubset", "arguments": {"data": config, "names": ["x_R"]}}
  return config


SQUARES = {"class": "XYSquares", "arguments": {}}
SUBSET = {"data": SQUARES}


@pytest.mark.parametrize(
  ("config", "message"),
  [
    ({"class": "Pinwheel", "arguments": {"num_points": 10**8}}, "from 1 to 20,000"),
    ({"class": "Pinwheel", "arguments": {"num_clusters": 0}}, "from 1 to 20,000"),
    ({"class": "Pinwheel", "arguments": {"num_points": True}}, "a whole number"),
    ({"class": "Pinwheel", "arguments": {"rate": "0.25"}}, "a number"),
    ({"class": "Pinwheel", "arguments": {"rate": float("nan")}}, "a number"),
    ({"class": "Pinwheel", "arguments": {"seed": -1}}, "a whole number"),
    ({"class": "XYSquares", "arguments": {"image_size": 16.0}}, "a whole number"),
    ({"class": "XYSquares", "arguments": {"image_size": 10**5}}, "from 1 to 256"),
    ({"class": "XYSquares", "arguments": {"grey": 1}}, "true or false"),
    ({"class": "XYSquares", "arguments": {"folder": "x"}}, "no argument folder"),
    ({"class": "XYSquares", "arguments": ["x"]}, "are not a dictionary"),
    ({"class": "DSprites", "arguments": {"path": "official.npz"}}, "null"),
    (subset({"class": "SmallNORB", "arguments": {}}), "the data set SmallNORB "),
    (subset({"class": "DSprites", "arguments": {"path": "a.npz"}}), "null"),
    (subset(SQUARES, times=500), "the data set FactorSubset "),
    ({"class": "FactorSubset", "arguments": SUBSET | {"names": "x_R"}}, "a list of"),
    ({"class": "FactorSubset", "arguments": SUBSET | {"names": [0]}}, "a list of"),
    ({"class": "FactorSubset", "arguments": SUBSET | {"names": ["x"] * 99}}, "a list"),
    ({"class": "FactorSubset", "arguments": {"data": "XYSquares"}}, "a data set"),
    ({"class": ["XYSquares"], "arguments": {}}, "may not name the data set"),
    ({"class": "os\x1b[2J"}, r"the data set os\\x1b\[2J"),
    ({}, "the data set None "),
  ],
)
def test_what_a_stranger_may_not_ask_for(config, message):
  with pytest.raises(UserError, match=message) as caught:
    check_foreign_data(config)
  assert len(str(caught.value)) < 400
