"""Cars3D: 183 cars seen from all sides.

Reed, Zhang, Zhang & Lee 2015, "Deep Visual Analogy-Making"; as a data set for
disentanglement in Locatello et al. 2019, "Challenging Common Assumptions".
"""

import pathlib
from collections.abc import Iterator

import numpy as np

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.files.cached_images import CachedImages
from disentangle_tf.data.files.reading import check_array, reading, resize
from disentangle_tf.errors import UserError


class Cars3D(CachedImages):
  """17,568 images of 64x64x3: 183 cars from 24 sides and 4 heights.

  Read from the folder `cars` of `nips2015-analogy-data.tar.gz`, which has one file per
  car with images of 128 px. Cars are numbered in the order of their file names. (Other
  code uses the order of the directory listing, which differs between machines.)

  `bin/prepare_data.py prepare cars3d` downloads the files.

  Args:
    folder: folder of the cache; by default a folder in `DISENTANGLE_TF_DATA`.
    source: folder of the official files, if it is another one. Used only to make the
      cache.

  Example:
    >>> from disentangle_tf import data
    >>> data.Cars3D.factor_names
    ('elevation', 'azimuth', 'object')
    >>> data.Cars3D.grids
    ((4, 24, 183),)
    >>> images = data.Cars3D().observe([[0, 12, 182]])  # doctest: +SKIP
  """

  name = "cars3d"
  factor_names = ("elevation", "azimuth", "object")
  grids = ((4, 24, 183),)
  observation_shape = (64, 64, 3)
  published_standardisation = (
    (0.897667614997663, 0.889165802006751, 0.885147515814868),
    (0.225031955315030, 0.239946127898126, 0.247921063196844),
  )
  side_of_file = 128

  def find_files(self, source: pathlib.Path) -> list[pathlib.Path]:
    files = sorted((source / "cars").glob("*.mat"))
    if not files:
      raise self.missing("cars/*.mat (of nips2015-analogy-data.tar.gz)", source)
    cars = self.grids[0][2]
    if len(files) != cars:
      raise UserError(f"{source}/cars holds {len(files)} .mat files, expected {cars}")
    return files

  def blocks(
    self, files: list[pathlib.Path], space: FactorSpace
  ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    import scipy.io

    elevations, azimuths, _ = space.sizes
    side = self.side_of_file
    for car, path in enumerate(files):
      with reading(path):
        images = scipy.io.loadmat(path, variable_names=["im"])["im"]
        expected = (side, side, 3, azimuths, elevations)
        check_array(path, "im", images.shape, images.dtype, expected=expected)
      images = images.transpose(4, 3, 0, 1, 2).reshape(-1, side, side, 3)
      views = np.indices((elevations, azimuths)).reshape(2, -1)
      index = space.to_index(np.stack([*views, np.full(len(images), car)], axis=-1))
      yield index, resize(images, self.observation_shape[0])
