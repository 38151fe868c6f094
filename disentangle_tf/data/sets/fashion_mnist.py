"""Fashion-MNIST: pieces of clothing, without factors.

Xiao, Rasul & Vollgraf 2017, "Fashion-MNIST: a Novel Image Dataset for Benchmarking
Machine Learning Algorithms".
"""

import numpy as np

from disentangle_tf.data.sets.images_without_factors import ImagesWithoutFactors


class FashionMNIST(ImagesWithoutFactors):
  """70,000 grey images, 28x28 with a black margin of 2 pixels. For training only.

  Args:
    folder: see `CachedImages`.
  """

  name = "fashion_mnist"
  grids = ((70_000,),)
  observation_shape = (32, 32, 1)
  tfds_name = "fashion_mnist"

  def prepare_images(self, images: np.ndarray) -> np.ndarray:
    return np.pad(images, [(0, 0), (2, 2), (2, 2), (0, 0)])
