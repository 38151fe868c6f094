"""Scans a StableHLO module, the program that JAX exports, as data.

Its table of operations decides. Custom calls are checked one by one, by what they call.
"""

from disentangle_tf.foreign.scan.stablehlo_reader import (
  CUSTOM_CALL,
  Module,
  UnreadableError,
)
from disentangle_tf.text import printable

# Operations that only compute; not those that talk to the host, to other devices or
# processes (infeed, send, all_reduce, ...).
_COMPUTING = frozenset(
  """
abs add and atan2 batch_norm_grad batch_norm_inference batch_norm_training
bitcast_convert broadcast broadcast_in_dim call case cbrt ceil cholesky clamp compare
complex composite concatenate constant convert convolution cosine count_leading_zeros
divide dot dot_general dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota
dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice einsum exponential
exponential_minus_one fft floor func gather get_dimension_size get_tuple_element if imag
iota is_finite log log_plus_one logistic map maximum minimum multiply negate not
optimization_barrier or pad popcnt power real real_dynamic_slice reduce reduce_precision
reduce_window remainder reshape return reverse rng rng_bit_generator round_nearest_afz
round_nearest_even rsqrt scatter select select_and_scatter set_dimension_size shift_left
shift_right_arithmetic shift_right_logical sign sine slice sort sqrt subtract tan tanh
torch_index_select transpose triangular_solve tuple unary_einsum uniform_dequantize
uniform_quantize while xor
""".split()  # noqa: SIM905
)
# Targets that XLA itself resolves: a check of sizes at compilation, and an annotation.
_HARMLESS_TARGETS = (b"shape_assertion", b"Sharding")


def scan_stablehlo(content: bytes) -> list[str]:
  """Reasons to refuse a module: a list of texts, empty if it may run."""
  try:
    module = Module(content)
    problems = _other_operations(module)
    if not problems and any(name == CUSTOM_CALL for _, name in module.operations):
      problems = _other_targets(module)
  except UnreadableError as error:
    return [f"holds a program that cannot be scanned ({error})"]
  return problems


def _other_operations(module: Module) -> list[str]:
  """Texts about operations that do more than compute."""
  found = []
  for dialect, name in dict.fromkeys(module.operations):
    known = name in _COMPUTING or name == CUSTOM_CALL
    if (dialect, name) != (b"builtin", "module") and not (dialect == b"vhlo" and known):
      found.append(f"holds a program with the operation {printable(name)}")
  return found


def _other_targets(module: Module) -> list[str]:
  """Texts about custom calls whose targets are not harmless."""
  return [
    f"holds a program that calls {printable(target.decode(errors='replace'))}"
    for target in module.targets()
    if target not in _HARMLESS_TARGETS
  ]
