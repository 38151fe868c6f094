import numpy as np
import pytest

from disentangle_tf.errors import ModelError
from disentangle_tf.foreign.sandbox.sandboxed_model import check_answer, check_width


def test_what_is_finite_and_fits_is_given_back():
  answer = np.ones((2, 3), np.float32)
  assert check_answer(answer, 3) is answer


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_first_number_that_is_none_is_named(bad):
  answer = np.zeros((4, 3), np.float32)
  answer[1, 2] = answer[3, 0] = bad
  with pytest.raises(ModelError, match="infinity .in number 3 of the 3 it gives"):
    check_answer(answer, 3)


@pytest.mark.parametrize("width", [0, 4])
def test_widths(width):
  for check in (check_width, lambda w, m: check_answer(np.zeros((2, w)), m)):
    with pytest.raises(ModelError, match=f"gave {width} numbers .*, at most 3 fit"):
      check(width, 3)
  check_width(3, 3)
