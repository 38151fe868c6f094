import numpy as np
import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.scoring.encoding import EncodedRows, ImageEncoding, check_scorable


@pytest.mark.parametrize(
  ("name", "most"), [("codes", [-1e14, 1e14]), ("log_variances", [-1e14, 80.0])]
)
def test_what_metrics_can_compute_with_comes_back(name, most):
  values = np.array([[0.0, 1.0], most], np.float32)
  assert check_scorable(name, values) is values


@pytest.mark.parametrize(
  ("name", "bad", "words"),
  [
    ("codes", np.nan, "beyond -1e\\+15 to 1e\\+15"),
    ("codes", np.inf, "NaN, infinite or beyond"),
    ("codes", -2e15, "NaN, infinite or beyond"),
    ("log_variances", 81.0, "beyond -1e\\+15 to 80"),
    ("log_variances", -np.inf, "NaN, infinite or beyond"),
  ],
)
def test_the_first_latent_that_cannot_be_scored_is_named(name, bad, words):
  values = np.zeros((4, 3), np.float32)
  values[2, 1:] = bad
  with pytest.raises(ModelError, match=f"^{name} of latent 1 are .*{words}"):
    check_scorable(name, values)


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


IMAGES = np.arange(10, dtype=np.float32).reshape(10, 1, 1, 1)


def _brightness(images):
  means = images.reshape(len(images), 1)
  return means, -means


def test_blocks_are_encoded_in_batches_and_in_order():
  seen = []

  def encode(images):
    seen.append(len(images))
    return _brightness(images)

  encoding = ImageEncoding(encode, batch_size=4)
  means, log_variances = encoding.encode(iter([IMAGES[:6], IMAGES[6:]]), 10)
  assert seen == [4, 2, 4]
  np.testing.assert_array_equal(means[:, 0], np.arange(10))
  np.testing.assert_array_equal(log_variances, -means)
  first = encoding.seconds
  encoding.encode([IMAGES], 10)
  assert encoding.seconds > first > 0


def test_log_variances_may_be_unknown():
  encoding = ImageEncoding(lambda images: (_brightness(images)[0], None))
  means, log_variances = encoding.encode([IMAGES], 10)
  assert means.shape == (10, 1) and log_variances is None


def test_reconstructions_come_with_their_images():
  encoding = ImageEncoding(_brightness, reconstruct=lambda x: 1 - x, batch_size=3)
  assert encoding.can_reconstruct and not ImageEncoding(_brightness).can_reconstruct
  images, made = encoding.reconstruct([IMAGES[:5], IMAGES[5:]])
  np.testing.assert_array_equal(images, IMAGES)
  np.testing.assert_array_equal(made, 1 - IMAGES)


def test_codes_are_decoded_in_batches():
  seen = []

  def decode(codes):
    seen.append(len(codes))
    return codes.reshape(-1, 1, 1, 1)

  encoding = ImageEncoding(_brightness, decode=decode, batch_size=4)
  assert encoding.can_decode and not ImageEncoding(_brightness).can_decode
  np.testing.assert_array_equal(encoding.decode(IMAGES[:, 0, 0]), IMAGES)
  assert seen == [4, 4, 2]


def test_codes_that_change_their_length_or_are_no_numbers():
  lengths = iter([2, 3])
  growing = ImageEncoding(
    lambda images: (np.zeros((len(images), next(lengths))), None), batch_size=5
  )
  with pytest.raises(ModelError, match="codes of 2 numbers, and then of 3"):
    growing.encode([IMAGES], 10)
  for encode, name in (
    (lambda images: (np.nan * _brightness(images)[0], None), "codes"),
    (lambda images: (_brightness(images)[0], images[:, 0, 0] + 100), "log_variances"),
  ):
    with pytest.raises(ModelError, match=f"{name} of latent 0"):
      ImageEncoding(encode).encode([IMAGES], 10)
