"""A trained manipulation as the folder that `data.Manipulated` reads."""

import numpy as np

from disentangle_tf.adversary.manipulation import scaled_factors
from disentangle_tf.argument_checks import check_count
from disentangle_tf.data import data_to_config
from disentangle_tf.data.manipulated import CURVE, FORMAT, MANIFEST, PLACE
from disentangle_tf.errors import UserError
from disentangle_tf.export.manifest import package_versions
from disentangle_tf.output_files import sha256_file, whole_directory, write_json

_BATCH = 256  # pictures drawn at a time
_MOST_PLACES = 2**16


def write_manipulation(
  manipulation, data, folder, *, epsilon, places=4096, overwrite=False, **told
):
  """Tabulates m over its scalar and writes the folder, whole or not at all.

  Args:
    manipulation: a `Manipulation`, or a `HandMadeManipulation`.
    data: the `GroundTruthData` that it changes.
    folder: where to.
    epsilon: the largest change of a pixel.
    places: how many pictures; each image takes the nearest one. 1,024 are enough.
    overwrite: move an existing folder aside first.
    told: what else the manifest is to say, as JSON: references, seed, step, ...

  Returns:
    The folder.
  """
  check_count("write_manipulation", places=places)
  if places > _MOST_PLACES:
    raise UserError(
      f"write_manipulation.places is {places}: it must be at most {_MOST_PLACES:,}"
    )
  scalars = scalars_of(manipulation, data)
  lowest, highest = scalars.min(), scalars.max()
  width = (highest - lowest) / places or 1.0
  place = np.clip((scalars - lowest) // width, 0, places - 1).astype(np.uint16)
  centres = lowest + width * (np.arange(places) + 0.5)
  pictures = _in_batches(manipulation.draw, centres[:, None].astype(np.float32))
  # Towards 0, so that no change is larger than epsilon.
  curve = np.trunc(255 * epsilon * pictures.astype(np.float64)).astype(np.int8)
  shown = np.mean((curve / (255 * epsilon)) ** 2, axis=(1, 2, 3))
  with whole_directory(folder, overwrite=overwrite) as temporary:
    np.save(temporary / PLACE, place, allow_pickle=False)
    np.save(temporary / CURVE, curve, allow_pickle=False)
    manifest = {
      "manipulation_format": FORMAT,
      "data": data_to_config(data),
      "epsilon": epsilon,
      "mean_square": float(np.mean(shown[place])),  # of pictures that are at most 1
      **told,
      "versions": package_versions(),
      "sha256": {name: sha256_file(temporary / name) for name in (PLACE, CURVE)},
    }
    write_json(temporary / MANIFEST, manifest)
  return folder


def scalars_of(manipulation, data):
  """The scalar of every image of `data`, float64 [images] in index order."""
  factors = data.factors.to_factors(np.arange(len(data)))
  scaled = scaled_factors(factors, data.factors.sizes).numpy()
  return _in_batches(manipulation.scalar, scaled)[:, 0].astype(np.float64)


def _in_batches(function, values):
  starts = range(_BATCH, len(values), _BATCH)
  return np.concatenate(
    [np.asarray(function(part)) for part in np.split(values, starts)]
  )
