"""Manipulated sets as `adversary.write_manipulation` writes them, made by hand."""

import json

import numpy as np

from disentangle_tf.data import Spot, data_to_config
from disentangle_tf.output_files import sha256_file


def write_manipulated(folder, place=None, curve=None, **told):
  """A manipulation of `Spot` by 0.1: three pictures, of which the first is empty.

  Args:
    place, curve: other arrays than these.
    told: what its manifest is to say otherwise.
  """
  if curve is None:
    curve = np.zeros((3, 16, 16, 1), np.int8)
    curve[1, 0, 0], curve[2] = 25, -25
  place = np.arange(169) % 3 if place is None else place
  folder.mkdir(parents=True, exist_ok=True)
  np.save(folder / "place.npy", np.asarray(place, np.uint16))
  np.save(folder / "curve.npy", curve)
  names = ("place.npy", "curve.npy")
  manifest = {
    "manipulation_format": 1,
    "data": data_to_config(Spot()),
    "epsilon": 0.1,
    "sha256": {name: sha256_file(folder / name) for name in names},
  }
  (folder / "manifest.json").write_text(json.dumps({**manifest, **told}))
  return folder
