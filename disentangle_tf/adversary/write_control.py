"""A manipulated set without an adversary, to compare the learned one with."""

import pathlib

import keras
import numpy as np

from disentangle_tf.adversary.write_manipulation import (
  scalars_of,
  write_manipulation,
)
from disentangle_tf.argument_checks import check_seed
from disentangle_tf.errors import UserError

_HALVINGS = 30  # of the interval that holds the gain's logarithm
_LARGEST_GAIN = 1e6
_NUM_PICTURES = 256  # of scalars evenly among those of all images


def write_control(
  *,
  data,
  manipulation,
  epsilon,
  output_dir,
  mean_square=None,
  seed=0,
  overwrite=False,
):
  """Writes the set of a manipulation as it is made, by hand or by random weights.

  Args:
    data: a `GroundTruthData` with one image per point.
    manipulation: as of `manipulate`, or `HandMadeManipulation`.
    epsilon: the largest change of a pixel.
    output_dir: the folder `set` in it is written.
    mean_square: of the pictures of all images, from 0 to 1; random weights, which make
      faint pictures, are then multiplied before the tanh. None leaves them as they are.
      A trained manipulation saturates: its manifest says its own.
    seed: of the weights.
    overwrite: move an existing set aside first.

  Returns:
    The folder of the set.
  """
  check_seed("write_control", seed=seed)
  keras.utils.set_random_seed(seed)
  made = manipulation(data.observation_shape, len(data.factors))
  if mean_square is not None:
    _amplify(made, data, mean_square)
  return write_manipulation(
    made,
    data,
    pathlib.Path(output_dir) / "set",
    epsilon=epsilon,
    overwrite=overwrite,
    seed=seed,
    control=type(made).__name__,
  )


def _amplify(manipulation, data, mean_square):
  """Sets the gain with which the pictures have this mean square, by bisection."""
  if not hasattr(manipulation, "gain"):
    raise UserError(
      f"write_control.mean_square: {type(manipulation).__name__} cannot be amplified"
    )
  if not 0 < mean_square < 1:
    raise UserError(
      f"write_control.mean_square is {mean_square!r}: it must be between 0 and 1"
    )
  evenly = np.linspace(0, 1, _NUM_PICTURES)
  scalars = np.quantile(scalars_of(manipulation, data), evenly)
  scalars = scalars[:, None].astype(np.float32)
  lowest, highest = -np.log(_LARGEST_GAIN), np.log(_LARGEST_GAIN)
  for _ in range(_HALVINGS):
    middle = (lowest + highest) / 2
    manipulation.gain = float(np.exp(middle))
    if np.mean(np.square(manipulation.draw(scalars))) < mean_square:
      lowest = middle
    else:
      highest = middle
