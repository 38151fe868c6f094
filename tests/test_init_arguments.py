import inspect

import pytest

from disentangle_tf.init_arguments import init_arguments, show_inherited_arguments


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
