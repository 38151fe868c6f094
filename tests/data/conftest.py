"""Tiny versions of the sets that come as files."""

import official_formats
import pytest


@pytest.fixture
def tiny(monkeypatch):
  """Make the classes expect the tiny versions."""
  official_formats.shrink(monkeypatch)
