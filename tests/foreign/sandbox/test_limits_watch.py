import os
import signal
import subprocess
import sys
import textwrap

import pytest

from disentangle_tf.foreign.sandbox.confinement import most_threads
from disentangle_tf.foreign.sandbox.limits import Watch

pytestmark = pytest.mark.skipif(
  not sys.platform.startswith("linux"), reason="confines processes on Linux only"
)
START = """
import ctypes, os, signal, threading
from disentangle_tf.foreign.sandbox import confinement
confinement.confine("/dev/null", memory_gib=0.125, seconds=30)
{}
print(flush=True)
signal.pause()
"""
# Fills memory and makes it read-only, which the kernel then no longer counts.
FILL = """
library = ctypes.CDLL(None)
library.mmap.restype = ctypes.c_void_p
for _ in range({}):
  address = library.mmap(None, ctypes.c_size_t(2**26), 3, 0x22, -1, 0)
  ctypes.memset(address, 1, 2**26)
  assert library.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(2**26), 1) == 0
"""
# The first thread ends, and another goes on, under a name like a line of its state.
LEAVE = """
def go_on():
  {}
  signal.pause()
threading.Thread(target=go_on).start()
ctypes.CDLL(None).prctl(15, b"\\xff\\nThreads: 1", 0, 0, 0)
print(flush=True)
ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
"""
THREADS = """
threading.stack_size(2**18)
try:
  for _ in range(1000):
    threading.Thread(target=signal.pause, daemon=True).start()
except RuntimeError:  # there is no room for more
  pass
"""


def outcome(code, *, seconds=20):
  """Why a process that is confined and runs `code` was ended, if it was."""
  process = subprocess.Popen(
    [sys.executable, "-c", START.format(code)], stdout=subprocess.PIPE
  )
  watch = Watch(process, 0.125)
  try:
    process.stdout.readline()
    process.wait(timeout=seconds)
  except subprocess.TimeoutExpired:
    assert watch.reason == ""
  finally:
    watch.close()
    process.kill()
    process.wait()
    process.stdout.close()
  return watch.reason


def test_little_is_let_be():
  assert outcome(FILL.format(2), seconds=0.5) == ""


def test_memory_that_the_kernel_does_not_count():
  reason = outcome(FILL.format(8))
  assert reason == "the model needs more than 0.125 GiB (--limit_memory_gib)"


def test_memory_of_a_process_without_its_first_thread():
  little, much = (textwrap.indent(FILL.format(n), "  ") for n in (2, 8))
  assert outcome(LEAVE.format(much)).startswith("the model needs more than")
  assert outcome(LEAVE.format(little), seconds=0.5) == ""


@pytest.mark.skipif(os.getuid() != 0, reason="the kernel counts those of other users")
def test_threads_of_root():
  reason = outcome(THREADS)
  assert (
    reason == f"the model started more than {most_threads()} threads and was stopped"
  )


def test_ends_before_it():
  process = subprocess.Popen([sys.executable, "-c", "pass"])
  watch = Watch(process, 1)
  assert process.wait(timeout=10) == 0
  watch.close()
  assert watch.reason == ""
  assert process.returncode != -signal.SIGKILL
