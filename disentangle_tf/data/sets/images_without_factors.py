"""Image sets without ground-truth factors: CelebA and Fashion-MNIST."""

import os

import numpy as np

from disentangle_tf.arguments import check_choice
from disentangle_tf.data.files.cached_images import TFDS, CachedImages
from disentangle_tf.data.files.reading import resize


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


_CROP = 148  # side of the central square, as in the literature
_SPLITS = {"all": 202_599, "train": 162_770, "validation": 19_867, "test": 19_962}


class CelebA(ImagesWithoutFactors):
  """202,599 faces at 64x64x3, without factors, for training only.

  The images are the central squares of 148 pixels, scaled down. TensorFlow Datasets
  downloads them: `bin/prepare_data.py prepare celeb_a`.

  Args:
    folder: folder of the cache; by default a folder in `DISENTANGLE_TF_DATA`. Each
    split
      needs its own.
    split: "all" (202,599 faces), or the official "train" (162,770), "validation"
      (19,867) or "test" (19,962).

  Example:
    >>> from disentangle_tf import data
    >>> data.CelebA.observation_shape, data.CelebA.has_factors
    ((64, 64, 3), False)
    >>> faces = data.CelebA(split="train")  # doctest: +SKIP
  """

  name = "celeb_a"
  observation_shape = (64, 64, 3)
  tfds_name = "celeb_a"

  def __init__(
    self, *, folder: str | os.PathLike | None = None, split: str = "all"
  ) -> None:
    check_choice("CelebA", _SPLITS, split=split)
    self.split = self.tfds_split = split
    if split != "all":
      self.name = f"celeb_a_{split}"
    self.grids = ((_SPLITS[split],),)
    super().__init__(folder=folder)

  def prepare_images(self, images: np.ndarray) -> np.ndarray:
    top, left = ((side - _CROP) // 2 for side in images.shape[1:3])
    cropped = images[:, top : top + _CROP, left : left + _CROP]
    return resize(cropped, self.observation_shape[0])


class FashionMNIST(ImagesWithoutFactors):
  """70,000 grey images of clothing at 32x32, without factors, for training only.

  The images of 28x28 get a black margin of 2 pixels. TensorFlow Datasets downloads
  them: `bin/prepare_data.py prepare fashion_mnist`.

  Args:
    folder: folder of the cache; by default a folder in `DISENTANGLE_TF_DATA`.

  Example:
    >>> from disentangle_tf import data
    >>> data.FashionMNIST.observation_shape, data.FashionMNIST.has_factors
    ((32, 32, 1), False)
    >>> clothes = data.FashionMNIST()  # doctest: +SKIP
  """

  name = "fashion_mnist"
  grids = ((70_000,),)
  observation_shape = (32, 32, 1)
  tfds_name = "fashion_mnist"

  def prepare_images(self, images: np.ndarray) -> np.ndarray:
    return np.pad(images, [(0, 0), (2, 2), (2, 2), (0, 0)])
