import numpy as np

from disentangle_tf.evaluation.encoded_rows import EncodedRows


def test_a_table_takes_memory_for_what_was_asked_alone():
  asked = []

  def encode(rows):
    asked.append(len(rows))
    codes = np.repeat(rows[:, None], 3, axis=1).astype(np.float32)
    return codes, -codes

  rows, rng = EncodedRows(encode), np.random.default_rng(0)
  for _ in range(20):
    wanted = rng.integers(2**40, size=30)
    wanted[:10] = rng.integers(5, size=10)
    codes, log_variances = rows[wanted]
    np.testing.assert_array_equal(codes[:, 1], wanted.astype(np.float32))
    np.testing.assert_array_equal(log_variances, -codes)
  assert sum(asked) == len(rows._codes) == 20 * 20 + 5


def test_what_is_too_much_is_forgotten_and_encoded_again():
  asked = []

  def encode(rows):
    asked.append(len(rows))
    return rows[:, None].astype(np.float32), None

  rows = EncodedRows(encode, most_bytes=4 * 100)
  for start in (0, 50, 90, 0):  # 40 are new in the third, which is too many
    codes, _ = rows[np.arange(start, start + 50)[::-1]]
    np.testing.assert_array_equal(codes[:, 0], np.arange(start, start + 50)[::-1])
    assert len(rows._codes) <= 100
  assert asked == [50, 50, 50, 50]
  assert len(rows[np.arange(300)][0]) == 300  # more than are kept


def test_rows_come_in_the_order_they_are_asked_for_and_are_encoded_in_theirs():
  asked = []

  def encode(rows):
    asked.append(rows.tolist())
    return rows[:, None].astype(np.float32), None

  rows = EncodedRows(encode)
  codes, log_variances = rows[np.array([7, 3, 7])]
  assert codes[:, 0].tolist() == [7, 3, 7] and log_variances is None
  assert rows[np.array([5, 3])][0][:, 0].tolist() == [5, 3]
  assert asked == [[3, 7], [5]]
