"""Many trainings as one command: their plan, workers, table and figures.

The public names load on first use, so that commands check their flags without pandas.
"""

import importlib
import typing

__all__ = [
  "FinishedRun",
  "Plan",
  "Run",
  "Study",
  "figures",
  "plot_latent_planes",
  "plot_levels",
  "plot_score_curves",
  "plot_score_strips",
  "plot_traversals",
  "rehearse",
  "run_study",
]

_MODULES = {
  "FinishedRun": "finished_run",
  "Plan": "plan",
  "Run": "run",
  "Study": "study",
  "plot_latent_planes": "figures.models",
  "plot_levels": "figures.models",
  "plot_score_curves": "figures.curves",
  "plot_score_strips": "figures.curves",
  "plot_traversals": "figures.models",
  "rehearse": "drawing",
  "run_study": "run",
}

if typing.TYPE_CHECKING:
  from disentangle_tf.studies import figures
  from disentangle_tf.studies.drawing import rehearse
  from disentangle_tf.studies.figures.curves import plot_score_curves, plot_score_strips
  from disentangle_tf.studies.figures.models import (
    plot_latent_planes,
    plot_levels,
    plot_traversals,
  )
  from disentangle_tf.studies.finished_run import FinishedRun
  from disentangle_tf.studies.plan import Plan
  from disentangle_tf.studies.run import Run, run_study
  from disentangle_tf.studies.study import Study


def __getattr__(name: str) -> typing.Any:
  """Load a public name on first use."""
  if name not in __all__:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
  module = importlib.import_module(f"{__name__}.{_MODULES.get(name, name)}")
  return module if name not in _MODULES else getattr(module, name)


def __dir__() -> list[str]:
  return sorted({*globals(), *__all__})
