import numpy as np
import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.evaluation.image_encoding import ImageEncoding

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
