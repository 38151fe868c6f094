"""Images of which no factors are known."""

from disentangle_tf.data.cached_images import TFDS, CachedImages


class UnlabelledImages(CachedImages):
  """A set from TensorFlow Datasets for training only: its factor numbers the images.

  Args:
    folder: see `CachedImages`.
  """

  labelled = False
  factor_names = ("image",)
  tfds_labels = ()

  def __init__(self, *, folder=None):
    super().__init__(folder=folder, source=TFDS)
