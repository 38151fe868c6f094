"""Import Keras without the packages that it only wraps.

Keras 3 imports matplotlib, pandas and scikit-learn if they are installed, to take data
frames and to offer wrappers. The commands use neither, and these packages take a third
of the time that TensorFlow and Keras take to import.
"""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
  from collections.abc import Iterator

_WRAPPED = ("matplotlib", "pandas", "sklearn")


def forgo_wrapped_packages() -> list[str]:
  """Let later imports of these packages fail, and return those not loaded before."""
  modules: dict[str, Any] = sys.modules
  hidden = [name for name in _WRAPPED if name not in modules]
  modules.update(dict.fromkeys(hidden))
  return hidden


@contextlib.contextmanager
def without_wrapped_packages() -> Iterator[None]:
  """Context in which Keras is imported as if these packages were not installed."""
  hidden = forgo_wrapped_packages()
  try:
    yield
  finally:
    for name in hidden:
      del sys.modules[name]
