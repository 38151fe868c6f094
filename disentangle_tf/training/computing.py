"""How training steps are computed: devices, XLA, number format, determinism."""

import dataclasses

import tensorflow as tf

from disentangle_tf.argument_checks import check_choice, check_instance, check_truth
from disentangle_tf.half_precision import HALF_PRECISIONS

_PRECISIONS = ("float32", *HALF_PRECISIONS)


@dataclasses.dataclass(frozen=True)
class Computing:
  """How the steps of `train` are computed.

  Args:
    strategy: a `tf.distribute.Strategy`; by default the first GPU, or else the CPU.
      Replicas share each batch and learn as one does, but for batch normalisation that
      is not synchronised and for data that draw what factors leave to chance.
    jit_compile: compile the step with XLA; by default on a GPU only. On a CPU it helps
      small dense networks and hinders convolutions. Of several replicas XLA compiles
      the gradients, unless the loss needs all replicas at once.
    precision: Keras dtype policy: float32, mixed_float16 or mixed_bfloat16.
    deterministic: bit-for-bit repeatable, somewhat slower.
    tensor_float_32: on an NVIDIA GPU since Ampere, round the factors of float32
      products to 10 bits in training steps. On by default, as in TensorFlow: steps are
      faster, and noise of batches and latents is far larger. Always off where scores
      and distances are computed, also during training.

  Example:
    train(..., computing=Computing(precision="mixed_float16"))
  """

  strategy: tf.distribute.Strategy | None = None
  jit_compile: bool | None = None
  precision: str = "float32"
  deterministic: bool = False
  tensor_float_32: bool = True

  def __post_init__(self):
    if self.strategy is not None:
      example = "tf.distribute.MirroredStrategy()"
      check_instance(
        "Computing", tf.distribute.Strategy, example, strategy=self.strategy
      )
    if self.jit_compile is not None:
      check_truth("Computing", jit_compile=self.jit_compile)
    check_choice("Computing", _PRECISIONS, precision=self.precision)
    check_truth(
      "Computing",
      deterministic=self.deterministic,
      tensor_float_32=self.tensor_float_32,
    )
