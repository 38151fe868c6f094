import pytest
from made_up_offers import choose, codes, offer

from disentangle_tf.foreign.choose.vectors import is_vector, vector_width
from disentangle_tf.foreign.look.offer import Tensor


@pytest.mark.parametrize(
  "shape", [(None, 1, 1, 5), (None, 5, 1, 1), None, (None, None)]
)
def test_shapes_that_are_vectors(shape):
  assert choose(offer(outputs=codes("mean", shape=shape))).encode.outputs == ("mean",)


@pytest.mark.parametrize(
  ("shape", "vector", "width"),
  [
    ((None, 5), True, 5),
    ((4, 5), True, 5),
    ((None, 1, 1, 5), True, 5),
    ((None, 5, 1, 1), True, 5),
    ((None, None), True, None),
    (None, True, None),
    ((None,), False, 1),
    ((None, 5, 1), False, 5),
    ((None, 1, 5, 1), False, 5),
    ((None, 8, 8, 1), False, 64),
  ],
)
def test_vectors_and_their_widths(shape, vector, width):
  tensor = Tensor("z", "float32", shape)
  assert is_vector(tensor) == vector
  assert vector_width(tensor) == width
