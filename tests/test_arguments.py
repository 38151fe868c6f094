"""Each check accepts valid values, and its error names the argument and the value."""

import inspect

import numpy as np
import pytest

from disentangle_tf.arguments import (
  check_choice,
  check_coefficient,
  check_count,
  check_instance,
  check_list,
  check_positive,
  check_seed,
  check_share,
  check_truth,
  check_weight,
  init_arguments,
  show_inherited_arguments,
)
from disentangle_tf.errors import UserError

NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
  ("check", "good", "bad", "words"),
  [
    (check_weight, [0, 0.5, 3], [-1, NAN, INFINITE, "a", None, True], "from 0 up"),
    (check_share, [0, 0.5, 1], [-0.1, 1.1, NAN, "a", True, []], "from 0 to 1"),
    (check_positive, [1e-9, 3], [0, -1, NAN, INFINITE, "a", True], "above 0"),
    (check_count, [1, np.int64(7)], [0, 2.0, -1, "3", True], "whole number from 1 up"),
    (check_seed, [0, 2**32 - 1], [-1, 2**32, 1.0, "0", False], r"0 to 2\*\*32 - 1"),
    (check_truth, [True, False], [0, 1, "True", None], "True or False"),
  ],
  ids=lambda value: getattr(value, "__name__", None),
)
def test_what_passes_and_what_does_not(check, good, bad, words):
  for value in good:
    check("Owner", name=value)
  for value in bad:
    with pytest.raises(UserError, match=rf"^Owner\.name is .*: it must be .*{words}$"):
      check("Owner", name=value)
  with pytest.raises(UserError, match="second"):
    check("Owner", first=good[0], second=bad[0])


@pytest.mark.parametrize("value", ["c", "A", 1, None, [], {}, ["a"], np.array(["a"])])
def test_a_choice_names_the_choices(value):
  check_choice("Owner", ("a", "b"), name="a", other="b")
  with pytest.raises(UserError, match=r"^Owner\.name is .*: it must be 'a' or 'b'$"):
    check_choice("Owner", ("a", "b"), name=value)


def test_choices_of_any_kind_and_number():
  check_choice("Owner", {"a": 1}, name="a")
  check_choice("Owner", (None, "auto"), name=None)
  for choices, words in (
    (("a",), "'a'"),
    ((1, 2, 3), "1, 2 or 3"),
    ({"i": 0, "ii": 1}, "'i' or 'ii'"),
  ):
    with pytest.raises(UserError) as error:
      check_choice("Owner", choices, name="none of them")
    assert str(error.value) == f"Owner.name is 'none of them': it must be {words}"


def test_a_coefficient_is_a_weight_or_a_schedule():
  check_coefficient("Owner", beta=2, gamma=lambda step: 0.5)
  for bad in (-1, lambda step: -1.0):
    with pytest.raises(UserError, match=r"^Owner\.beta is -1.*from 0 up$"):
      check_coefficient("Owner", beta=bad)
  with pytest.raises(UserError, match="a number, or a schedule of the step"):
    check_coefficient("Owner", beta=lambda: 1.0)


def test_each_of_a_list_is_checked():
  check_list("Owner", check_count, sizes=[1, 2])
  with pytest.raises(UserError, match=r"^Owner\.sizes is 0: .*whole number"):
    check_list("Owner", check_count, sizes=(1, 0))
  for bad in ([], "12", {1: 2}, 3, None):
    with pytest.raises(UserError, match=r"^Owner\.sizes is .*must be a list"):
      check_list("Owner", check_count, sizes=bad)


def test_an_instance_is_of_the_class():
  check_instance("Owner", dict, "{}", settings={})
  with pytest.raises(UserError, match=r"^Owner\.settings is 5: .* a dict such as {}$"):
    check_instance("Owner", dict, "{}", settings=5)


class Parent:
  def __init__(self, first, *, size=1, name="parent"):
    self.first = first
    self.size = size
    self.name = name


class Child(Parent):
  def __init__(self, *args, weight, size=2, **shared):
    super().__init__(*args, size=size, **shared)
    self.weight = weight


class Grandchild(Child):
  pass


show_inherited_arguments(Child)
show_inherited_arguments(Grandchild)


def _kinds(cls):
  parameters = inspect.signature(cls.__init__).parameters
  return {name: value.kind.name for name, value in parameters.items()}


def test_arguments_are_read_from_their_attributes():
  made = Parent(3, name="x")
  assert init_arguments(made) == {"first": 3, "size": 1, "name": "x"}
  made.size = 9  # the current value is returned
  assert init_arguments(made)["size"] == 9


def test_an_argument_that_is_no_attribute_is_a_fault():
  class Forgetful:
    def __init__(self, size):
      pass

  with pytest.raises(AttributeError, match="size"):
    init_arguments(Forgetful(3))


def test_what_is_passed_on_is_in_the_signature():
  assert _kinds(Child) == {
    "self": "POSITIONAL_OR_KEYWORD",
    "first": "POSITIONAL_OR_KEYWORD",
    "size": "KEYWORD_ONLY",
    "name": "KEYWORD_ONLY",
    "weight": "KEYWORD_ONLY",
  }
  assert (
    inspect.signature(Child.__init__).parameters["size"].default == 2
  )  # the child's default
  expected = {"first": 3, "size": 2, "name": "y", "weight": 0.5}
  for cls in (Child, Grandchild):
    assert init_arguments(cls(3, weight=0.5, name="y")) == expected


def test_a_closed_signature_stays_as_it_is():
  before = inspect.signature(Parent.__init__)
  show_inherited_arguments(Parent)
  assert inspect.signature(Parent.__init__) == before
