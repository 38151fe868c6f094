"""CelebA: faces.

Liu, Luo, Wang & Tang 2015, "Deep Learning Face Attributes in the Wild".
"""

from disentangle_tf.data.official_reading import resize
from disentangle_tf.data.unlabelled_images import UnlabelledImages

_CROP = 148  # the usual square around the face


class CelebA(UnlabelledImages):
  """202,599 faces, the central square of 148 pixels at 64x64x3. For training only.

  Args:
    folder: see `CachedImages`.
  """

  name = "celeb_a"
  grids = ((202_599,),)
  observation_shape = (64, 64, 3)
  tfds_name = "celeb_a"

  def prepare_images(self, images):
    top, left = ((side - _CROP) // 2 for side in images.shape[1:3])
    cropped = images[:, top : top + _CROP, left : left + _CROP]
    return resize(cropped, self.observation_shape[0])
