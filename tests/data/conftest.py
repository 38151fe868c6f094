"""The tiny versions of the sets that come as files."""

import official_formats
import pytest


@pytest.fixture
def tiny(monkeypatch):
  """The classes expect their tiny versions."""
  official_formats.shrink(monkeypatch)
