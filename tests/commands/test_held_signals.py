"""Signals during the start of workers, in processes with one thread."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

from disentangle_tf.training import interruption

TWO = {"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 0}}
ONE = {"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}
# Interruption's module alone: the package around it loads TensorFlow.
START = f"""
import importlib.util, os, signal, time
from disentangle_tf.commands import held_signals
spec = importlib.util.spec_from_file_location("one", {interruption.__file__!r})
interruption = importlib.util.module_from_spec(spec)
spec.loader.exec_module(interruption)
signal.signal(signal.SIGTERM, signal.default_int_handler)
"""


def _run(code, config):
  environment = {**os.environ, "TF_CONFIG": config}
  return subprocess.run(
    [sys.executable, "-c", START + textwrap.dedent(code)],
    env=environment,
    capture_output=True,
    text=True,
    timeout=100,
  )


HEARD_LATER = """
  try:
    with held_signals.held_signals():
      os.kill(os.getpid(), signal.SIGTERM)
      print("held")
      heard = interruption.Interruption()
      with heard.noted(), heard.watch():
        print("requested", heard.requested)
  except KeyboardInterrupt:
    print("interrupted")
"""


def test_the_training_handles_a_signal_to_one_of_several_workers():
  assert _run(HEARD_LATER, json.dumps(TWO)).stdout == "held\nrequested True\n"


@pytest.mark.parametrize("config", ["", "{}", "[]", "no JSON", json.dumps(ONE)])
def test_a_single_worker_is_interrupted_at_once(config):
  assert _run(HEARD_LATER, config).stdout == "interrupted\n"


def test_a_signal_that_no_training_handled_interrupts_in_the_end():
  code = """
    try:
      with held_signals.held_signals():
        os.kill(os.getpid(), signal.SIGTERM)
        print("held")
    except KeyboardInterrupt:
      print("interrupted")
  """
  assert _run(code, json.dumps(TWO)).stdout == "held\ninterrupted\n"


def test_a_worker_that_waits_for_too_long_exits():
  code = """
    held_signals._PATIENCE = 2.0
    with held_signals.held_signals():
      os.kill(os.getpid(), signal.SIGTERM)
      time.sleep(60)
  """
  done = _run(code, json.dumps(TWO))
  assert done.returncode == 130
  assert done.stderr == "train: stopped while waiting for the other workers\n"
