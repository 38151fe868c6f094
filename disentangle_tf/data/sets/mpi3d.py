"""MPI3D: a robot arm that holds an object.

Gondal et al. 2019, "On the Transfer of Inductive Bias from Simulation to the Real
World: a New Disentanglement Dataset", https://github.com/rr-learning/disentanglement_dataset.
"""

import os
import pathlib
from collections.abc import Iterator

import numpy as np

from disentangle_tf.arguments import check_choice
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.files.cached_images import CachedImages
from disentangle_tf.data.files.reading import check_array, opened_array

_VERSIONS = ("toy", "realistic", "real")
_BLOCK = 1024


class MPI3D(CachedImages):
  """Images of 64x64x3 of a robot arm: simple or realistic renderings, or photographs.

  Read from `mpi3d_VERSION.npz`, whose order is the index order. The authors publish
  1,036,800 images of each version, with six colours and six shapes. The releases that
  disentanglement_lib used have four of both for toy and realistic: 460,800 images. Both
  can be read; the number of images distinguishes them.

  `bin/prepare_data.py prepare mpi3d_toy` downloads a version.

  Args:
    version: "toy", "realistic" or "real".
    folder: folder of the cache; by default a folder in `DISENTANGLE_TF_DATA`.
    source: folder of the official files, if it is another one. Used only to make the
      cache.

  Example:
    >>> from disentangle_tf import data
    >>> data.MPI3D.grids[0]
    (6, 6, 2, 3, 3, 40, 40)
    >>> real = data.MPI3D(version="real")  # doctest: +SKIP
    >>> images = real.observe([[5, 5, 1, 2, 2, 39, 39]])  # doctest: +SKIP
  """

  factor_names = (
    "color",
    "shape",
    "size",
    "camera_height",
    "background",
    "horizontal",
    "vertical",
  )
  grids = ((6, 6, 2, 3, 3, 40, 40), (4, 4, 2, 3, 3, 40, 40))
  observation_shape = (64, 64, 3)

  def __init__(
    self,
    *,
    version: str = "toy",
    folder: str | os.PathLike | None = None,
    source: str | os.PathLike | None = None,
  ) -> None:
    check_choice("MPI3D", _VERSIONS, version=version)
    self.version = version
    self.name = f"mpi3d_{version}"
    super().__init__(folder=folder, source=source)

  def count_images(self, files: list[pathlib.Path]) -> int:
    with opened_array(files[0], "images") as (shape, _, _):
      return shape[0]

  def blocks(
    self, files: list[pathlib.Path], space: FactorSpace
  ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    (path,) = files
    with opened_array(path, "images") as (shape, dtype, read):
      expected = (space.num_points, *self.observation_shape)
      check_array(path, "images", shape, dtype, expected=expected)
      for start in range(0, shape[0], _BLOCK):
        images = read(min(_BLOCK, shape[0] - start))
        yield np.arange(start, start + len(images)), images
