from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.foreign.look.offer import Offer, Tensor


def test_the_error_lists_what_there_is():
  images, codes = Tensor("x", "float32", (None, 4)), Tensor("z", "float32", None)
  error = mismatch(
    "it is too small", [Offer("a", (images,), ()), Offer("b", (), (codes,))]
  )
  assert type(error) is UserError
  assert str(error) == (
    "it is too small; the model offers a: x float32 [?, 4] ->  | b:  -> z float32 [?]"
  )
