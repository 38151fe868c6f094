import os
import signal
import subprocess
import sys
import time

import pytest

from disentangle_tf.commands.work_on_run import (
  _is_passing,
  heed_warnings,
  stop_with_parent,
)


def test_only_want_of_memory_passes():
  exhausted = type("ResourceExhaustedError", (Exception,), {})
  assert _is_passing(exhausted()) and _is_passing(MemoryError())
  assert not _is_passing(ValueError())


def test_a_worker_whose_parent_is_gone_already_stops(monkeypatch):
  monkeypatch.setenv("DTF_PARENT", str(os.getpid()))  # not what started this process
  with pytest.raises(KeyboardInterrupt):
    stop_with_parent()


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGUSR2])
def test_a_warning_stops_a_worker_unless_its_parent_does(number, monkeypatch):
  listened = (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM)
  before = {each: signal.getsignal(each) for each in listened}
  signal.signal(signal.SIGTERM, signal.default_int_handler)
  try:
    heed_warnings()
    with pytest.raises(KeyboardInterrupt):
      signal.raise_signal(number)
    monkeypatch.setenv("DTF_PARENT", str(os.getppid()))
    heed_warnings()
    signal.raise_signal(number)  # nothing happens
  finally:
    for each, handler in before.items():
      signal.signal(each, handler)


PARENT = """
import os, subprocess, sys, time
child = "import os, time; from disentangle_tf.commands import work_on_run as worker"
child += "; worker.stop_with_parent(); print(os.getpid(), flush=True); time.sleep(60)"
environment = {**os.environ, "DTF_PARENT": str(os.getpid())}
subprocess.Popen([sys.executable, "-c", child], env=environment, start_new_session=True)
time.sleep(60)
"""


def test_a_worker_ends_with_what_started_it():
  parent = subprocess.Popen(
    [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True
  )
  worker = int(parent.stdout.readline())
  parent.kill()
  parent.wait()
  deadline = time.monotonic() + 30
  while os.path.exists(f"/proc/{worker}") and time.monotonic() < deadline:
    time.sleep(0.05)
  assert not os.path.exists(f"/proc/{worker}")
