"""Settings of how training steps are computed: devices, XLA, number format."""

from __future__ import annotations

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
      Replicas share each batch, and the result is that of one replica. Two things
      differ: batch normalisation that is not synchronised, and random images of data
      whose factors do not determine the image.
    jit_compile: compile the step with XLA; by default on a GPU only. On a CPU it speeds
      up small dense networks and slows down convolutions. With several replicas XLA
      compiles the gradients, unless the loss needs all replicas at once.
    precision: Keras dtype policy: float32, mixed_float16 or mixed_bfloat16.
    deterministic: repeat bit for bit; somewhat slower.
    tensor_float_32: on NVIDIA GPUs since Ampere, round the factors of float32 products
      to 10 bits in training steps. On by default, as in TensorFlow: steps are faster,
      and the noise of batches and latents is far larger than the rounding. It is always
      off where scores and distances are computed, during training too.

  Raises:
    UserError: for a value of another kind.

  Example:
    >>> from disentangle_tf import training
    >>> training.Computing(precision="mixed_bfloat16").precision
    'mixed_bfloat16'
  """

  strategy: tf.distribute.Strategy | None = None
  jit_compile: bool | None = None
  precision: str = "float32"
  deterministic: bool = False
  tensor_float_32: bool = True

  def __post_init__(self) -> None:
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
