"""Processes must not outlive the tests that start them."""

import pytest
from processes import children


@pytest.fixture
def nothing_is_left_running():
  before = children()
  yield
  assert children() == before
