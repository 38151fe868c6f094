"""From a model that can be asked and a data set to scores.

The public names load on first use: plans of studies are made without TensorFlow.
"""

import importlib
import typing

__all__ = [
  "CodesTable",
  "EndlessCodes",
  "Measurement",
  "Observations",
  "check_measurements",
  "decoder_jacobians",
  "protocols",
  "score_names",
]

_MODULES = {
  "CodesTable": "codes_table",
  "EndlessCodes": "endless_codes",
  "Measurement": "measurement",
  "Observations": "observations",
  "check_measurements": "measurement",
  "decoder_jacobians": "observations",
  "score_names": "naming",
}

if typing.TYPE_CHECKING:
  from disentangle_tf.scoring import protocols
  from disentangle_tf.scoring.codes_table import CodesTable
  from disentangle_tf.scoring.endless_codes import EndlessCodes
  from disentangle_tf.scoring.measurement import Measurement, check_measurements
  from disentangle_tf.scoring.naming import score_names
  from disentangle_tf.scoring.observations import Observations, decoder_jacobians


def __getattr__(name: str) -> typing.Any:
  """Load a public name on first use."""
  if name not in __all__:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
  module = importlib.import_module(f"{__name__}.{_MODULES.get(name, name)}")
  return module if name not in _MODULES else getattr(module, name)
