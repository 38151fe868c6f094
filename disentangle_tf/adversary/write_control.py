"""A manipulated set without an adversary, as a control for the learned one."""

from __future__ import annotations

import pathlib
import typing
from collections.abc import Callable

import keras
import numpy as np

from disentangle_tf.adversary.hand_made_manipulation import HandMadeManipulation
from disentangle_tf.adversary.write_manipulation import (
  places_of,
  stored_mean_square,
  stored_pictures,
  write_manipulation,
)
from disentangle_tf.argument_checks import check_seed
from disentangle_tf.errors import UserError
from disentangle_tf.training import RunDescription

if typing.TYPE_CHECKING:
  import os

  from disentangle_tf.adversary.manipulation import Manipulation
  from disentangle_tf.data import GroundTruthData


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
