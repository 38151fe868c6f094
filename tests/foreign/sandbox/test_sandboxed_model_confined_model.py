"""Models whose answers are wrong, and processes that lie about them."""

import pytest
import tensorflow as tf
from misbehaving_models import (
  READY,
  SHAPE,
  broken,
  fail,
  fail_taken_over,
  failing,
  huge,
  infinite,
  no_rows,
  no_width,
  not_a_number,
  one_row,
  rude,
  talkative,
  too_wide,
)

from disentangle_tf.foreign.sandbox.limits import Limits

pytestmark = pytest.mark.usefixtures("nothing_is_left_running")


CASES = {
  "eats memory": (huge, "needs more than 2 GiB (--limit_memory_gib)"),
  "gives NaN": (not_a_number, "NaN or infinity (in number 1 of the 16"),
  "gives infinity": (infinite, "the model gave NaN or infinity"),
  "gives one row": (one_row, "shape (1, 16) for 3 inputs"),
  "gives no rows": (no_rows, "shape () for 3 inputs"),
  "gives too much": (too_wide, "16000 numbers per image, at most 8192 fit"),
  "gives nothing": (no_width, "gave 0 numbers per image"),
  "fails": (lambda p: failing(p, "theirs"), "the model's process died (exit code 4)"),
  "fails with control characters": (rude, "the model's process died"),
  "fails with many words": (talkative, "the model's process died"),
  "does not load": (broken, "the model's process died (exit code 4)"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_model_that_misbehaves(case, tmp_path):
  make, words = CASES[case]
  assert words in fail(make(tmp_path / "m.onnx"))


def test_a_saved_model_that_eats_memory(tmp_path):
  @tf.function(input_signature=[tf.TensorSpec([None, *SHAPE], name="x")])
  def encode(x):
    rows = tf.fill([tf.shape(x, tf.int64)[0] * 2**30], x[0, 0, 0, 0])
    return {"mean": tf.reduce_sum(rows) * tf.ones([tf.shape(x)[0], 2])}

  tf.saved_model.save(tf.Module(), str(tmp_path / "m"), signatures=encode)
  text = fail(tmp_path / "m", Limits(memory_gib=4, seconds=30))
  assert "needs more than 4 GiB" in text


TAKEN_OVER = {
  "not ready": ("say(b'{}\\n'); say(b'never\\n')", "answered nonsense"),
  "no sizes": (READY + "say(b'many numbers\\n')", "answered nonsense"),
  "negative sizes": (READY + "say(b'3 -1\\n')", "answered nonsense"),
  "three sizes": (READY + "say(b'3 1 1\\n')", "answered nonsense"),
  "long sizes": (READY + "say(b'3 ' + b'9' * 5000 + b'\\n')", "answered nonsense"),
  "large sizes": (READY + "say(b'3 999999999999\\n')", "at most 8192 fit"),
  "other rows": (READY + "say(b'2 16\\n')", "gave 2 results for 3 inputs"),
  "half an answer": (READY + "say(b'3 16\\n1234')", "took more than 2 s for one batch"),
}


@pytest.mark.parametrize("case", TAKEN_OVER)
def test_a_process_that_was_taken_over(case, tmp_path, monkeypatch):
  lines, words = TAKEN_OVER[case]
  assert words in fail_taken_over(lines, tmp_path, monkeypatch)
