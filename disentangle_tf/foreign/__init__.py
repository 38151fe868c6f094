"""Foreign models and arrays of codes: scanned, and run in a sandbox.

Foreign files are treated as hostile. `ForeignModel` handles a model in four steps:

1. `find_models` and `find_kind` find what lies at a path. `copy_model` makes a private
   copy, so that the files that are scanned are the files that are loaded.
2. `look/` scans the copy as data, in a sandbox, without running anything of it.
   `scan_saved_model`, `scan_onnx` and `scan_keras` find reasons to refuse it, by the
   lists in `allowed_ops` and `allowed_keras`. The `Verdict` refuses it if there is one.
3. `choose/` detects its `Interface`: the functions that encode and decode, and the
   format of images. A `Reading` overrides what is detected.
4. `confine/` loads and runs it in another sandbox, and checks its answers.

Arrays of codes hold no program: `Arrays` has them read in a sandbox. Every fault of a
model is a `ModelError`. `text.printable` escapes all text from foreign files.

This file imports only the standard library, and the public names load on first use: a
sandbox is closed before anything large is imported in it.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
  from disentangle_tf.foreign.foreign_model import ForeignModel
  from disentangle_tf.foreign.interface.reading import Reading
  from disentangle_tf.foreign.sandbox.limits import Limits
  from disentangle_tf.foreign.sandbox.warm_children import warm_children
  from disentangle_tf.foreign.scan.scan import Arrays
  from disentangle_tf.foreign.scan.verdict import Finding, Offer, Tensor, Verdict

__all__ = [
  "Arrays",
  "Finding",
  "ForeignModel",
  "Limits",
  "Offer",
  "Reading",
  "Tensor",
  "Verdict",
  "warm_children",
]

# {public name: its module}.
_MODULES = {
  "Arrays": "disentangle_tf.foreign.scan.scan",
  "Finding": "disentangle_tf.foreign.scan.verdict",
  "ForeignModel": "disentangle_tf.foreign.foreign_model",
  "Limits": "disentangle_tf.foreign.sandbox.limits",
  "Offer": "disentangle_tf.foreign.scan.verdict",
  "Reading": "disentangle_tf.foreign.interface.reading",
  "Tensor": "disentangle_tf.foreign.scan.verdict",
  "Verdict": "disentangle_tf.foreign.scan.verdict",
  "warm_children": "disentangle_tf.foreign.sandbox.warm_children",
}


def __getattr__(name: str) -> Any:
  """Load a public name on first use."""
  if name not in _MODULES:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
  return getattr(importlib.import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
  return sorted({*globals(), *__all__})
