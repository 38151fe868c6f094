"""Builders of TensorFlow Datasets, so that `tfds.load` finds the sets of this package.

  import disentangle_tf.data.files.tfds_builders
  tfds.load("dtf_xysquares")  # also dtf_dsprites, dtf_cars3d, dtf_mpi3d/toy, ...

An example is {"image": uint8 [H, W, C], "label_FACTOR": integer, ...}. The only split
is "train". Cars3D and MPI3D need their files, see `bin/prepare_data.py`. TensorFlow
Datasets has its own versions of 3D Shapes and SmallNORB.
"""

import abc
from collections.abc import Iterator
from typing import cast

import numpy as np
import tensorflow_datasets as tfds

from disentangle_tf.data.files.cached_images import CachedImages
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.dsprites import DSprites
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.xy_squares import XYSquares

_BATCH = 1024


class GroundTruthBuilder(tfds.core.GeneratorBasedBuilder, skip_registration=True):
  """Examples of a `GroundTruthData` in index order; a subclass defines `make_data`."""

  VERSION = tfds.core.Version("1.0.0")

  @abc.abstractmethod
  def make_data(self) -> GroundTruthData:
    """Make the `GroundTruthData`, whose images have 1 or 3 channels."""

  def describe(self) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...]]:
    """Return (image shape, factor names, factor sizes) without reading a file."""
    data = self.make_data()
    return data.observation_shape, data.factors.names, data.factors.sizes

  def _info(self) -> tfds.core.DatasetInfo:
    shape, names, sizes = self.describe()
    labels = {
      f"label_{name}": tfds.features.ClassLabel(num_classes=size)
      for name, size in zip(names, sizes, strict=True)
    }
    image = tfds.features.Image(shape=shape)
    return tfds.core.DatasetInfo(
      builder=self,
      description=self.__doc__,
      features=tfds.features.FeaturesDict({"image": image, **labels}),
      disable_shuffling=True,
    )

  def _split_generators(
    self, dl_manager: tfds.download.DownloadManager
  ) -> dict[str, Iterator[tuple[int, dict]]]:
    del dl_manager
    return {"train": self._generate_examples()}

  def _generate_examples(self) -> Iterator[tuple[int, dict]]:
    data = self.make_data()
    labels = [f"label_{name}" for name in data.factors.names]
    index = 0
    for factors, images in data.in_order(_BATCH):
      for point, image in zip(factors, np.rint(images * 255), strict=True):
        yield (
          index,
          {"image": image.astype(np.uint8), **dict(zip(labels, point, strict=True))},
        )
        index += 1


class _CachedBuilder(GroundTruthBuilder, skip_registration=True):
  """Builder of a `CachedImages` class, which `describe` does not open."""

  data_class: type[CachedImages]

  def describe(self) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...]]:
    cached = self.data_class
    return cached.observation_shape, cached.factor_names, cached.grids[0]


class DtfXYSquares(GroundTruthBuilder):
  """XYSquares: three squares in a 64x64 world."""

  name = "dtf_xysquares"

  def make_data(self) -> XYSquares:
    return XYSquares()


class DtfDSprites(GroundTruthBuilder):
  """dSprites, rendered."""

  name = "dtf_dsprites"

  def make_data(self) -> DSprites:
    return DSprites()


class DtfCars3D(_CachedBuilder):
  """Cars3D: 183 cars from 24 sides and 4 heights."""

  name = "dtf_cars3d"
  data_class = Cars3D

  def make_data(self) -> Cars3D:
    return Cars3D()


class DtfMPI3D(_CachedBuilder):
  """MPI3D: a robot arm that holds an object."""

  name = "dtf_mpi3d"
  data_class = MPI3D
  BUILDER_CONFIGS = [
    tfds.core.BuilderConfig(name=version) for version in ("toy", "realistic", "real")
  ]

  def make_data(self) -> MPI3D:
    configuration = cast("tfds.core.BuilderConfig", self.builder_config)
    return MPI3D(version=configuration.name)
