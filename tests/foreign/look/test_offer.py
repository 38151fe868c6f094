import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.look.offer import Offer, Tensor


def test_as_a_line():
  images = Tensor("x\x1b[2J", "float32", (None, 8, 8, 1))
  offer = Offer("encode", (images,), (Tensor("z", "float32", None),))
  assert str(images) == r"x\x1b[2J float32 [?, 8, 8, 1]"
  assert str(offer) == rf"encode: {images} -> z float32 [?]"


@pytest.mark.parametrize("size", [-1, 2**40 + 1])
def test_impossible_sizes(size):
  with pytest.raises(ModelError, match="refused: x has an impossible shape"):
    Tensor("x", "float32", (None, size))
  assert Tensor("x", "float32", (0, 2**40)).shape == (0, 2**40)


def test_names_without_end():
  longest = "x" * 1_000
  assert Offer(longest, (), ()).name == Tensor(longest, "int8", ()).name == longest
  for make in (lambda n: Offer(n, (), ()), lambda n: Tensor(n, "int8", ())):
    with pytest.raises(ModelError, match="a name in it has 1,001 characters"):
      make(longest + "x")
