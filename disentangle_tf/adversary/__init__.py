"""Data made hard on purpose (Zietlow et al. 2021).

The adversary learns a small change of every image, against the decoders of trained
models. On the changed images VAEs prefer an entangled alignment of their latents.
"""

from disentangle_tf.adversary.learning import manipulate
from disentangle_tf.adversary.manipulated_folder import (
  write_control,
  write_manipulation,
)
from disentangle_tf.adversary.manipulation import (
  HandMadeManipulation,
  Manipulation,
  conv_manipulation,
  mlp_manipulation,
)
from disentangle_tf.adversary.manipulator import Manipulator
from disentangle_tf.adversary.references import Candidate, Reference, choose_references

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
