"""A function of a model that gives images."""

import dataclasses

from disentangle_tf.foreign.choose.call import Call
from disentangle_tf.foreign.choose.image_format import ImageFormat


@dataclasses.dataclass(frozen=True)
class ImageSource:
  """A `Call` whose one output is images, and the `ImageFormat` they come in."""

  call: Call
  format: ImageFormat
