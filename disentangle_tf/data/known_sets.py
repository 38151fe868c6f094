"""The table of known data sets: the class and the arguments of every name.

`bin/prepare_data.py` and serialisation use it; `gin/data` has one file per name.
"""

import dataclasses
from collections.abc import Callable, Mapping

from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.dsprites import DSprites
from disentangle_tf.data.sets.factor_table import FactorTable
from disentangle_tf.data.sets.images_without_factors import CelebA, FashionMNIST
from disentangle_tf.data.sets.manipulated import Manipulated
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.painted_dsprites import (
  ColorDSprites,
  NoisyDSprites,
  ScreamDSprites,
)
from disentangle_tf.data.sets.point_clouds import Lattice, Pinwheel
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.data.sets.spot import Spot
from disentangle_tf.data.sets.wrappers import UniformNoise
from disentangle_tf.data.sets.xy_squares import XYSquares
from disentangle_tf.errors import UserError, suggest


@dataclasses.dataclass(frozen=True)
class KnownSet:
  """How to make a data set.

  Attributes:
    data_class: its class, a subclass of `GroundTruthData`.
    arguments: {name: value} of the arguments that are not defaults of the class.
    maker: the function that makes the set, if it is not the class itself.

  Example:
    >>> from disentangle_tf import data
    >>> small = data.KnownSet(data.XYSquares, {"image_size": 16, "square_size": 4})
    >>> small.make(grid_spacing=4).observation_shape
    (16, 16, 3)
  """

  data_class: type
  arguments: Mapping = dataclasses.field(default_factory=dict)
  maker: Callable | None = None

  def make(self, **others: object) -> GroundTruthData:
    """Make the data set, with additional arguments."""
    return (self.maker or self.data_class)(**self.arguments, **others)


_SMALL_SQUARES = {
  "grid_spacing": 2,
  "num_squares": 2,
  "image_size": 16,
  "square_size": 2,
}
_SMALL_SPRITES = {"image_size": 32, "sizes": (3, 3, 10, 8, 8)}

KNOWN_SETS = {
  "xysquares": KnownSet(XYSquares),
  "xysquares_small": KnownSet(XYSquares, _SMALL_SQUARES),
  "dsprites": KnownSet(DSprites),
  "dsprites_small": KnownSet(DSprites, _SMALL_SPRITES),
  "color_dsprites": KnownSet(ColorDSprites),
  "color_dsprites_small": KnownSet(ColorDSprites, _SMALL_SPRITES),
  "noisy_dsprites": KnownSet(NoisyDSprites),
  "noisy_dsprites_small": KnownSet(NoisyDSprites, _SMALL_SPRITES),
  "scream_dsprites": KnownSet(ScreamDSprites),
  "pinwheel": KnownSet(Pinwheel),
  "lattice": KnownSet(Lattice),
  "spot": KnownSet(Spot),
  "shapes3d": KnownSet(Shapes3D),
  "cars3d": KnownSet(Cars3D),
  "smallnorb": KnownSet(SmallNORB),
  "mpi3d_toy": KnownSet(MPI3D, {"version": "toy"}),
  "mpi3d_realistic": KnownSet(MPI3D, {"version": "realistic"}),
  "mpi3d_real": KnownSet(MPI3D, {"version": "real"}),
  "celeb_a": KnownSet(CelebA),
  "fashion_mnist": KnownSet(FashionMNIST),
  "manipulated": KnownSet(Manipulated, maker=Manipulated.from_folder),
  "uniform_noise": KnownSet(UniformNoise, maker=UniformNoise.of_set),
  "table": KnownSet(FactorTable, maker=FactorTable.from_npz),
}


def find_known_set(name: str) -> KnownSet:
  """Look up a set in `KNOWN_SETS`.

  Args:
    name: such as "dsprites" or "mpi3d_toy".

  Returns:
    The `KnownSet`.

  Raises:
    UserError: no set has this name. The message suggests the nearest one.

  Example:
    >>> from disentangle_tf import data
    >>> data.find_known_set("xysquares_small").make().observation_shape
    (16, 16, 2)
  """
  if name not in KNOWN_SETS:
    raise UserError(
      f"there is no data set {name!r}{suggest(name, KNOWN_SETS)} (there are "
      f"{', '.join(KNOWN_SETS)})"
    )
  return KNOWN_SETS[name]
