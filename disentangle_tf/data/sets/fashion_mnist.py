"""Fashion-MNIST: clothing, without factors.

Xiao, Rasul & Vollgraf 2017, "Fashion-MNIST: a Novel Image Dataset for Benchmarking
Machine Learning Algorithms".
"""

import numpy as np

from disentangle_tf.data.sets.images_without_factors import ImagesWithoutFactors


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
