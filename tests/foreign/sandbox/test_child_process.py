"""Processes that hang, die or answer nonsense."""

import os
import signal

import pytest
from misbehaving_models import (
  IMAGES,
  LIMITS,
  READY,
  SHAPE,
  check_error,
  endless_loop,
  fail,
  fail_taken_over,
  not_a_number,
)
from processes import children

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.foreign.sandbox.limits import Limits

pytestmark = pytest.mark.usefixtures("nothing_is_left_running")


def test_a_model_that_hangs(tmp_path):
  path = endless_loop(tmp_path / "m.onnx")
  text = fail(path, Limits(memory_gib=2, seconds=2))
  assert text == (
    "the model took more than 2 s for one batch and was stopped (--limit_seconds)"
  )


def test_a_model_that_computes_too_long(tmp_path):
  path = endless_loop(tmp_path / "m.onnx")
  text = fail(path, Limits(memory_gib=2, seconds=20, cpu_seconds=1))
  assert "used more than 1 s of computing" in text
  assert text.endswith("(--limit_cpu_seconds)")


def test_too_little_memory_to_load(tmp_path):
  text = fail(endless_loop(tmp_path / "m.onnx"), Limits(memory_gib=0.01, seconds=5))
  assert "0.01 GiB" in text or "died" in text


@pytest.mark.parametrize(
  "number",
  [signal.SIGSEGV, signal.SIGABRT, signal.SIGILL, signal.SIGKILL, signal.SIGSYS],
)
def test_a_model_that_dies(number, tmp_path):
  before = children()
  with ForeignModel(not_a_number(tmp_path / "m.onnx")) as model:
    model.open(SHAPE, limits=LIMITS)
    (child,) = children() - before
    os.kill(child, number)
    with pytest.raises(ModelError, match=f"signal {number}|used more than") as caught:
      model.encode(IMAGES)
  check_error(caught.value)
  capped = "ONEDNN_MAX_CPU_ISA=" in str(caught.value)
  assert capped == (number == signal.SIGILL)


TAKEN_OVER = {
  "not confined": ("say(b'nothing\\n')", "answered nonsense"),
  "no line": ("say(b'x' * 2**18)", "answered nonsense"),
  "silence": ("", "took more than 2 s to load"),
  "closed pipes": (
    READY + "os.close(1); os.close(0)",
    "the model's process closed its pipes",
  ),
  "many errors": (
    "print('x' * 2**22, '\\x1b[2J', file=sys.stderr); os._exit(3)",
    "the model's process died (exit code 3)",
  ),
}


@pytest.mark.parametrize("case", TAKEN_OVER)
def test_a_process_that_was_taken_over(case, tmp_path, monkeypatch):
  lines, words = TAKEN_OVER[case]
  assert words in fail_taken_over(lines, tmp_path, monkeypatch)
