"""Titles, order and direction of scores in figures."""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterable
from typing import Any

from disentangle_tf import metrics
from disentangle_tf.metrics.parts.contract import LOWER
from disentangle_tf.studies.training_names import plain_name


@functools.cache
def lower_is_better(score: str) -> bool:
  """Whether a score of this name is better when lower.

  The name may have a measurement's prefix, and settings behind it, as `TrainingNames`
  gives them. If no metric states it, higher is better.
  """
  score, found = plain_name(score), []
  for public in metrics.__all__:
    directions = getattr(getattr(metrics, public), "directions", {})
    for name, direction in directions.items():
      if fnmatch.fnmatchcase(score, name) or fnmatch.fnmatchcase(score, f"*_{name}"):
        found.append((len(name), direction))  # the longest name is the nearest
  return bool(found) and max(found)[1] == LOWER


def merit(score: str, value: Any) -> Any:
  """A number that is higher the better `value` of a score of this name is."""
  return -value if lower_is_better(score) else value


# Locatello et al. 2019: the six metrics, in the order of the paper.
METRICS = {
  "beta_vae_eval_accuracy": "BetaVAE score",
  "factor_vae_eval_accuracy": "FactorVAE score",
  "mig": "MIG",
  "disentanglement": "DCI disentanglement",
  "modularity": "Modularity",
  "sap": "SAP",
}

# Scores that need no labels, figure 9.
UNSUPERVISED = {
  "reconstruction_nats": "Reconstruction",
  "kl": "KL",
  "elbo": "ELBO",
  "sampled_gaussian_total_correlation": "TC (sampled)",
}

_SIZES = (10, 100, 1_000, 10_000)  # labels of a downstream task
LOGISTIC = {f"accuracy_{size}": f"LR{size}" for size in _SIZES}
BOOSTING = {f"accuracy_{size}_gradient_boosting": f"GBT{size}" for size in _SIZES}
EFFICIENCY = {
  "efficiency": "Efficiency (LR)",
  "efficiency_gradient_boosting": "Efficiency (GBT)",
}

# Michlo et al. 2023.
MICHLO_METRICS = {"mig": "MIG", "disentanglement": "DCI disentanglement"}

METHODS = (
  "beta-VAE", "FactorVAE", "beta-TCVAE", "DIP-VAE-I", "DIP-VAE-II", "AnnealedVAE",
)  # fmt: skip

# Zietlow et al. 2021: further methods of their tables, and the versions of a data set.
_FIRST_METHODS, _LAST_METHODS = ("AE",), ("SlowVAE", "PCL")
_VERSIONS = ("original", "modified", "noise")

DATA = {
  "dsprites": "dSprites",
  "color_dsprites": "Color-dSprites",
  "noisy_dsprites": "Noisy-dSprites",
  "scream_dsprites": "Scream-dSprites",
  "smallnorb": "SmallNORB",
  "cars3d": "Cars3D",
  "shapes3d": "Shapes3D",
  "mpi3d_toy": "MPI3D-toy",
  "mpi3d_realistic": "MPI3D-realistic",
  "mpi3d_real": "MPI3D-real",
  "xysquares": "XYSquares",
}

_TITLES = {
  **METRICS,
  **UNSUPERVISED,
  **LOGISTIC,
  **BOOSTING,
  **EFFICIENCY,
  **DATA,
  "gaussian_total_correlation": "TC (mean)",
  "reconstruction_error": "Reconstruction (MSE)",
  "completeness": "DCI completeness",
  "informativeness_test": "DCI informativeness",
  "explicitness_test": "Explicitness",
  "irs": "IRS",
  "hoyer": "Hoyer sparsity",
  "prior_mmd": "MMD to the prior",
  "active_latents_by_variance": "active latents",
}


def title(name: str) -> str:
  """Name of a score, a method or a data set in the papers; others keep their names.

  Settings behind the name of a score stay.
  """
  score, *settings = name.partition(" (")
  if score in _TITLES:
    return _TITLES[score] + "".join(settings)
  return name.replace("beta-", "β-") if name.startswith("beta-") else name


def in_paper_order(names: Iterable[str]) -> list[str]:
  """The names in the order in which the papers list them, then all others, sorted."""
  order = [*_FIRST_METHODS, *METHODS, *_LAST_METHODS, *_TITLES, *_VERSIONS]
  known = {name: place for place, name in enumerate(order)}
  return sorted(names, key=lambda name: (known.get(name, len(known)), name))
