"""Data made hard on purpose: Zietlow et al. 2021.

A mild change of every image, learned against the decoders of trained models, under
which VAEs prefer an entangled alignment of their latents.
"""

from disentangle_tf.adversary.manipulate import manipulate
from disentangle_tf.adversary.manipulation import Manipulation
from disentangle_tf.adversary.manipulator import Manipulator
from disentangle_tf.adversary.reference import Reference
from disentangle_tf.adversary.write_manipulation import write_manipulation

__all__ = [
  "Manipulation",
  "Manipulator",
  "Reference",
  "manipulate",
  "write_manipulation",
]
