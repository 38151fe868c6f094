"""Data made hard on purpose (Zietlow et al. 2021).

The adversary learns a small change of every image, against the decoders of trained
models. On the changed images VAEs prefer an entangled alignment of their latents.
"""

from disentangle_tf.adversary.choose_references import Candidate, choose_references
from disentangle_tf.adversary.conv_manipulation import conv_manipulation
from disentangle_tf.adversary.hand_made_manipulation import HandMadeManipulation
from disentangle_tf.adversary.manipulate import manipulate
from disentangle_tf.adversary.manipulation import Manipulation
from disentangle_tf.adversary.manipulator import Manipulator
from disentangle_tf.adversary.mlp_manipulation import mlp_manipulation
from disentangle_tf.adversary.reference import Reference
from disentangle_tf.adversary.write_control import write_control
from disentangle_tf.adversary.write_manipulation import write_manipulation

__all__ = [
  "Candidate",
  "HandMadeManipulation",
  "Manipulation",
  "Manipulator",
  "Reference",
  "choose_references",
  "conv_manipulation",
  "manipulate",
  "mlp_manipulation",
  "write_control",
  "write_manipulation",
]
