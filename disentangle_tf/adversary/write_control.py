"""A manipulated set without an adversary, to compare the learned one with."""

import pathlib

import keras
import numpy as np

from disentangle_tf.adversary.write_manipulation import (
  places_of,
  stored_mean_square,
  stored_pictures,
  write_manipulation,
)
from disentangle_tf.argument_checks import check_seed
from disentangle_tf.errors import UserError
from disentangle_tf.training import RunDescription

_HALVINGS = 30  # of the interval that holds the gain's logarithm
_LARGEST_GAIN = 1e6
_NEAR = 0.01  # the stored mean square may differ by, relatively


def write_control(
  *,
  data,
  manipulation,
  epsilon,
  output_dir,
  mean_square=None,
  seed=None,
  description=None,
  overwrite=False,
):
  """Writes the set of a manipulation as it is made, by hand or by random weights.

  Args:
    data: a `GroundTruthData` with one image per point.
    manipulation: as of `manipulate`, or `HandMadeManipulation`.
    epsilon: the largest change of a pixel.
    output_dir: the folder `set` in it is written.
    mean_square: of the stored pictures of all images, from 0 to 1. Random weights make
      faint pictures, so they are multiplied before the tanh until they have it. None
      leaves them as they are. The manifest of a trained manipulation has its own.
    seed: of random weights, 0 by default. A manipulation that has its own refuses it.
    description: as of `training.train`; its text is the manifest's `configuration`.
    overwrite: move an existing set aside first.

  Returns:
    The folder of the set.
  """
  description = description or RunDescription()
  check_seed("write_control", seed=0 if seed is None else seed)
  keras.utils.set_random_seed(seed or 0)
  made = manipulation(data.observation_shape, len(data.factors))
  own_seed = getattr(made, "seed", None)
  if None not in (seed, own_seed):
    name = type(made).__name__
    raise UserError(
      f"write_control.seed is of random weights and {name} has none: leave it out and "
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


def _amplify(manipulation, data, mean_square, epsilon):
  """Sets the gain with which stored pictures have this mean square, by bisection."""
  if not hasattr(manipulation, "gain"):
    raise UserError(
      f"write_control.mean_square: {type(manipulation).__name__} cannot be amplified"
    )
  if not 0 < mean_square < 1:
    raise UserError(
      f"write_control.mean_square is {mean_square!r}: it must be between 0 and 1"
    )
  place, scalars = places_of(manipulation, data)
  used, counts = np.unique(place, return_counts=True)

  def stored():
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
