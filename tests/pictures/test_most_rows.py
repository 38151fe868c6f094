import pytest

from disentangle_tf.pictures import most_rows


@pytest.mark.parametrize(
  ("shape", "columns", "rows"),
  [
    ((64, 64, 3), 9, 32),  # the largest number
    ((256, 256, 3), 9, 2),  # 2**22 numbers in all
    ((128, 128, 1), 16, 16),
    ((2_000, 2_000, 3), 9, 1),  # at least one
  ],
)
def test_large_images_have_fewer_rows(shape, columns, rows):
  assert most_rows(shape, columns) == rows
