"""Tests whether half precision works on this CPU, and limits its instructions if not.

A virtual machine may advertise AMX although it cannot run it: a process then dies at
its first product in bfloat16. The environment variable `ONEDNN_MAX_CPU_ISA` keeps
TensorFlow's oneDNN from such instructions if it is set before the first product. The
test runs in a child process, which may die. Nothing is tested for float32, nor on a CPU
without AMX where the variable is not set.
"""

import functools
import logging
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
_LOGGER = logging.getLogger(__name__)


def cap_instructions(precisions: Sequence[str]) -> None:
  """Set a cap under which `precisions` work, and log it; call before TensorFlow starts.

  Nothing changes if they work without a cap, if the user has set the variable, or if no
  cap helps. In the last case `check_precision` raises.

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
    _LOGGER.info(
      "a training step in %s ends with %s on this CPU: %s=%s is set",
      " or ".join(dying),
      " or ".join(sorted(set(dying.values()))),
      VARIABLE,
      cap,
    )


def check_precision(precision: str | None) -> None:
  """Raise a `UserError` if a training step in this precision kills its process."""
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
        return f"unset {VARIABLE} before Python starts, or choose 'float32'"
      return f"set {VARIABLE}={cap} before Python starts, or choose 'float32'"
  return "choose 'float32'"


def _cap_for(precisions: Iterable[str], caps: Iterable[str]) -> str | None:
  """Return the first of `caps` under which all `precisions` work, or None."""
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
  """How a process that trains in `precision` under `cap` dies; None if it does not."""
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
