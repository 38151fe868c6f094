"""Write a manipulated data set, learned or a control."""

from __future__ import annotations

import pathlib
import typing
from collections.abc import Callable

import keras
import numpy as np

from disentangle_tf.adversary.manipulation import HandMadeManipulation, scaled_factors
from disentangle_tf.arguments import check_count, check_seed
from disentangle_tf.data import data_to_config
from disentangle_tf.data.sets.manipulated import CURVE, FORMAT, MANIFEST, PLACE
from disentangle_tf.errors import UserError
from disentangle_tf.export.manifest import package_versions
from disentangle_tf.output_files import sha256_file, whole_directory, write_json
from disentangle_tf.training import RunDescription

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.adversary.manipulation import Manipulation
  from disentangle_tf.data import GroundTruthData


_Folder = typing.TypeVar("_Folder", str, pathlib.Path)
_BATCH = 256  # changes drawn at a time
PLACES = 4096
_MOST_PLACES = 2**16


def write_manipulation(
  manipulation: Manipulation | HandMadeManipulation,
  data: GroundTruthData,
  folder: _Folder,
  *,
  epsilon: float,
  places: int = PLACES,
  overwrite: bool = False,
  **told: typing.Any,
) -> _Folder:
  """Tabulate a manipulation over its scalar and write the folder atomically.

  Args:
    manipulation: a `Manipulation`, or a `HandMadeManipulation`.
    data: the `GroundTruthData` that it changes.
    folder: the folder to write.
    epsilon: the largest change of a pixel.
    places: number of changes in the table; each image takes the nearest one. 1,024 are
      enough.
    overwrite: move an existing folder aside first.
    told: further entries of the manifest, as JSON: references, seed, step, ...

  Returns:
    The folder.

  Example:
    >>> from disentangle_tf import adversary, data
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> made = adversary.HandMadeManipulation(squares.observation_shape, num_factors=2)
    >>> folder = adversary.write_manipulation(
    ...   made, squares, "changed", epsilon=0.1, places=64
    ... )
    >>> data.Manipulated(squares, folder).observation_shape
    (8, 8, 1)
  """
  check_count("write_manipulation", places=places)
  if places > _MOST_PLACES:
    raise UserError(
      f"write_manipulation.places is {places}: it must be at most {_MOST_PLACES:,}"
    )
  place, centres = places_of(manipulation, data, places)
  curve = stored_pictures(manipulation, centres, epsilon)
  with whole_directory(folder, overwrite=overwrite) as temporary:
    np.save(temporary / PLACE, place, allow_pickle=False)
    np.save(temporary / CURVE, curve, allow_pickle=False)
    manifest = {
      "manipulation_format": FORMAT,
      "data": data_to_config(data),
      "epsilon": epsilon,
      "mean_square": stored_mean_square(curve, epsilon, np.bincount(place)),
      **told,
      "versions": package_versions(),
      "sha256": {name: sha256_file(temporary / name) for name in (PLACE, CURVE)},
    }
    write_json(temporary / MANIFEST, manifest)
  return folder


def places_of(
  manipulation: Manipulation | HandMadeManipulation,
  data: GroundTruthData,
  places: int = PLACES,
) -> tuple[np.ndarray, np.ndarray]:
  """(the position of every image in the table, the scalars [places] of the table)."""
  scalars = _scalars(manipulation, data)
  lowest, highest = scalars.min(), scalars.max()
  width = (highest - lowest) / places or 1.0
  place = np.clip((scalars - lowest) // width, 0, places - 1).astype(np.uint16)
  return place, lowest + width * (np.arange(places) + 0.5)


def stored_pictures(
  manipulation: Manipulation | HandMadeManipulation, scalars: np.ndarray, epsilon: float
) -> np.ndarray:
  """Changes [scalars, height, width, channels] as they are stored, in 255ths."""
  drawn = _in_batches(manipulation.draw, scalars[:, None].astype(np.float32))
  # Towards 0, so that no change is larger than epsilon.
  return np.trunc(255 * epsilon * drawn.astype(np.float64)).astype(np.int8)


def stored_mean_square(curve: np.ndarray, epsilon: float, counts: np.ndarray) -> float:
  """Mean square of stored changes over all images, in units of epsilon.

  Args:
    curve: from `stored_pictures`.
    epsilon: the largest change of a pixel.
    counts: number of images that take each change.
  """
  pixels = np.prod(curve.shape[1:])
  sums = [np.sum(picture.astype(np.int64) ** 2) for picture in curve[: len(counts)]]
  squares = np.array(sums) / (pixels * (255 * epsilon) ** 2)
  return float(np.average(squares, weights=counts))


def _scalars(
  manipulation: Manipulation | HandMadeManipulation, data: GroundTruthData
) -> np.ndarray:
  """The scalar of every image of `data`, float64 [images] in index order."""
  factors = data.factors.to_factors(np.arange(len(data)))
  scaled = scaled_factors(factors, data.factors.sizes).numpy()
  return _in_batches(manipulation.scalar, scaled)[:, 0].astype(np.float64)


def _in_batches(function: Callable, values: np.ndarray) -> np.ndarray:
  starts = range(_BATCH, len(values), _BATCH)
  return np.concatenate(
    [np.asarray(function(part)) for part in np.split(values, starts)]
  )


_HALVINGS = 30  # of the interval that holds the gain's logarithm
_LARGEST_GAIN = 1e6
_NEAR = 0.01  # relative tolerance of the stored mean square


def write_control(
  *,
  data: GroundTruthData,
  manipulation: Callable[[tuple, int], Manipulation | HandMadeManipulation],
  epsilon: float,
  output_dir: str | os.PathLike,
  mean_square: float | None = None,
  seed: int | None = None,
  description: RunDescription | None = None,
  overwrite: bool = False,
) -> pathlib.Path:
  """Write the set of an untrained manipulation, made by hand or by random weights.

  Args:
    data: a `GroundTruthData` with one image per point.
    manipulation: as for `manipulate`, or `HandMadeManipulation`.
    epsilon: the largest change of a pixel.
    output_dir: the set is written to the folder `set` in it.
    mean_square: mean square of the stored changes of all images, between 0 and 1.
      Random weights give faint changes; they are multiplied before the tanh until the
      mean square is reached. None leaves them as they are. The manifest of a trained
      manipulation records its own.
    seed: of random weights, 0 by default. A manipulation with a seed refuses it.
    description: as for `training.train`; its text is the manifest's `configuration`.
    overwrite: move an existing set aside first.

  Returns:
    The folder of the set.

  Raises:
    UserError: if the mean square cannot be reached, or an argument does not fit.

  Example:
    >>> from disentangle_tf import adversary, data
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> folder = adversary.write_control(
    ...   data=squares,
    ...   manipulation=adversary.HandMadeManipulation,
    ...   epsilon=0.1,
    ...   output_dir="control",
    ... )
    >>> data.Manipulated(squares, folder).observation_shape
    (8, 8, 1)
  """
  description = description or RunDescription()
  check_seed("write_control", seed=0 if seed is None else seed)
  keras.utils.set_random_seed(seed or 0)
  made = manipulation(data.observation_shape, len(data.factors))
  own_seed = getattr(made, "seed", None)
  if None not in (seed, own_seed):
    name = type(made).__name__
    raise UserError(
      f"write_control.seed is for random weights and {name} has none: leave it out and "
      f"set {name}.seed"
    )
  configuration = description.text()
  if mean_square is not None:
    _amplify(made, data, mean_square, epsilon)
  return write_manipulation(
    made,
    data,
    pathlib.Path(output_dir) / "set",
    epsilon=epsilon,
    overwrite=overwrite,
    seed=seed or 0 if own_seed is None else own_seed,
    control=type(made).__name__,
    configuration=configuration,
  )


def _amplify(
  manipulation: Manipulation | HandMadeManipulation,
  data: GroundTruthData,
  mean_square: float,
  epsilon: float,
) -> None:
  """Set the gain with which stored changes have this mean square, by bisection."""
  if isinstance(manipulation, HandMadeManipulation):
    raise UserError(
      f"write_control.mean_square: {type(manipulation).__name__} cannot be amplified"
    )
  if not 0 < mean_square < 1:
    raise UserError(
      f"write_control.mean_square is {mean_square!r}: it must be between 0 and 1"
    )
  place, scalars = places_of(manipulation, data)
  used, counts = np.unique(place, return_counts=True)

  def stored() -> float:
    curve = stored_pictures(manipulation, scalars[used], epsilon)
    return stored_mean_square(curve, epsilon, counts)

  lowest, highest = -np.log(_LARGEST_GAIN), np.log(_LARGEST_GAIN)
  for _ in range(_HALVINGS):
    middle = (lowest + highest) / 2
    manipulation.gain = float(np.exp(middle))
    if stored() < mean_square:
      lowest = middle
    else:
      highest = middle
  found = stored()
  if abs(found - mean_square) > _NEAR * mean_square:
    raise UserError(
      f"write_control.mean_square is {mean_square}: with epsilon {epsilon}, stored in "
      f"255ths, the nearest is {found:.3f}"
    )
