import pytest
from made_up_offers import choose, codes, offer


@pytest.mark.parametrize(
  "shape", [(None, 1, 1, 5), (None, 5, 1, 1), None, (None, None)]
)
def test_shapes_that_are_vectors(shape):
  assert choose(offer(outputs=codes("mean", shape=shape))).encode.outputs == ("mean",)
