"""Half precision on this CPU: tried in a process that may die, capped if need be.

A virtual machine may advertise AMX and trap on it: a process then dies at its first
product in bfloat16. `ONEDNN_MAX_CPU_ISA` keeps TensorFlow's oneDNN from such
instructions, if it is in the environment before the first product of the process.
Nothing is tried for float32, nor on a CPU without AMX where the variable is not set.
"""

import functools
import os
import pathlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence

from disentangle_tf.errors import UserError

HALF_PRECISIONS = ("mixed_float16", "mixed_bfloat16")
VARIABLE = "ONEDNN_MAX_CPU_ISA"
# The first one serves both precisions: below it oneDNN refuses the float16 that
# TensorFlow hands to it on a CPU with AVX512-FP16.
CAPS = ("AVX512_CORE_FP16", "AVX512_CORE_BF16", "AVX512_CORE")
_CPU = pathlib.Path("/proc/cpuinfo")
_PROBE = pathlib.Path(__file__).with_name("half_precision_probe.py")
_SECONDS = 600  # a busy machine takes long to load TensorFlow


def cap_instructions(precisions: Sequence[str]) -> None:
  """Sets a cap under which `precisions` work, and prints it; call before TensorFlow.

  Nothing changes if they work without one, if the user has set the variable, or if no
  cap helps: `check_precision` then refuses.

  Args:
    precisions: some of HALF_PRECISIONS.
  """
  if VARIABLE in os.environ or not _has_amx():
    return
  deaths = {precision: _death(precision, None) for precision in precisions}
  if not any(deaths.values()):
    return
  cap = _cap_for(precisions, CAPS)
  if cap is not None:
    os.environ[VARIABLE] = cap
    dying = {name: death for name, death in deaths.items() if death}
    print(
      f"a training step in {' or '.join(dying)} ends with "
      f"{' or '.join(sorted(set(dying.values())))} on this CPU: {VARIABLE}={cap} is set"
    )


def check_precision(precision: str | None) -> None:
  """Raises a `UserError` if a training step in this precision kills its process."""
  cap = os.environ.get(VARIABLE)
  if precision not in HALF_PRECISIONS or not (cap or _has_amx()):
    return
  death = _death(precision, cap)
  if death is None:
    return
  others = [other for other in (None, *CAPS) if other != cap]
  under = f" under {VARIABLE}={cap}" if cap else ""
  raise UserError(
    f"Computing.precision is {precision!r}: a training step ends with {death} on this "
    f"CPU{under}; {_remedy(precision, others)}"
  )


def _remedy(precision: str, caps: Iterable[str | None]) -> str:
  for cap in caps:
    if _death(precision, cap) is None:
      if cap is None:
        return f"unset {VARIABLE} before Python starts, or take 'float32'"
      return f"set {VARIABLE}={cap} before Python starts, or take 'float32'"
  return "take 'float32'"


def _cap_for(precisions: Iterable[str], caps: Iterable[str]) -> str | None:
  """The first of `caps` under which all `precisions` work, or None."""
  for cap in caps:
    if not any(_death(precision, cap) for precision in precisions):
      return cap
  return None


def _has_amx() -> bool:
  """Whether the CPU says that it has AMX."""
  try:
    return re.search(r"^flags\s*:.*\bamx_", _CPU.read_text(), re.MULTILINE) is not None
  except OSError:  # not Linux
    return False


@functools.cache
def _death(precision: str, cap: str | None) -> str | None:
  """How a process ends that trains in `precision` under `cap`; None if it does well."""
  environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}
  environment.pop(VARIABLE, None)
  if cap is not None:
    environment[VARIABLE] = cap
  try:
    done = subprocess.run(
      [sys.executable, "-P", _PROBE, precision],
      env=environment,
      stdin=subprocess.DEVNULL,
      stdout=subprocess.DEVNULL,
      stderr=subprocess.DEVNULL,
      timeout=_SECONDS,
    )
  except subprocess.TimeoutExpired:
    return f"no answer for {_SECONDS} s"
  if done.returncode < 0:
    return signal.Signals(-done.returncode).name
  return f"exit code {done.returncode}" if done.returncode else None
