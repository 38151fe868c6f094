"""Base class of the sets without factors: `ImagesWithoutFactors`."""

import os

from disentangle_tf.data.files.cached_images import TFDS, CachedImages


class ImagesWithoutFactors(CachedImages):
  """A set from TensorFlow Datasets for training only; its factor numbers the images.

  Args:
    folder: folder of the cache, see `CachedImages`.
  """

  has_factors = False
  factor_names = ("image",)
  tfds_labels = ()

  def __init__(self, *, folder: str | os.PathLike | None = None) -> None:
    super().__init__(folder=folder, source=TFDS)
