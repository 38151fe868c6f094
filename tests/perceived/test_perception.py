import dataclasses

import pytest
from shared_checks import tiny_data

from disentangle_tf.losses import MSE
from disentangle_tf.perceived import Perception


def _made(**options):
  parts = {name: {} for name in ("importance", "agreement", "curves")}
  lists = {"traversals": [], "matrices": []}
  return Perception(data=tiny_data(), loss=MSE(), **parts, **lists, **options)


def test_what_was_not_asked_for_is_none():
  found = _made()
  for name in ("worlds", "ranking", "level_distances", "levels"):
    assert getattr(found, name) is None
  assert _made(ranking=[{"loss": "mse"}]).ranking == [{"loss": "mse"}]


def test_what_was_found_stays():
  with pytest.raises(dataclasses.FrozenInstanceError):
    _made().importance = {}
