"""Disentanglement metrics: functions of arrays that return `{score: float}`.

They need NumPy, SciPy and scikit-learn only. Codes are `[points, latents]`, factors
`[points, factors]`, usually integers. Each metric has a file of its name, with the
matrix behind its scores, and declares whether its scores are better when higher or
lower. `parts` holds what several metrics share.
"""

from disentangle_tf.metrics._active_latents import active_latents
from disentangle_tf.metrics._active_units import active_units
from disentangle_tf.metrics._axis_ratios import axis_ratios
from disentangle_tf.metrics._beta_vae_score import beta_vae_score
from disentangle_tf.metrics._clipped_pixels import clipped_pixels
from disentangle_tf.metrics._code_information import code_information
from disentangle_tf.metrics._dci import dci, dci_fit, dci_importance
from disentangle_tf.metrics._dci_es import dci_es
from disentangle_tf.metrics._dci_lightgbm import dci_lightgbm
from disentangle_tf.metrics._dcimig import dcimig
from disentangle_tf.metrics._distance_agreement import distance_agreement
from disentangle_tf.metrics._distance_to_orthogonality import distance_to_orthogonality
from disentangle_tf.metrics._downstream_task import (
  downstream_accuracies,
  downstream_task,
)
from disentangle_tf.metrics._evidence import evidence
from disentangle_tf.metrics._explicitness import explicitness
from disentangle_tf.metrics._factor_vae_score import factor_vae_score
from disentangle_tf.metrics._fairness import fairness, unfairness_matrix
from disentangle_tf.metrics._flatness import flatness
from disentangle_tf.metrics._hoyer import hoyer
from disentangle_tf.metrics._infomec import infomec
from disentangle_tf.metrics._irs import irs, irs_matrix
from disentangle_tf.metrics._jemmig import jemmig
from disentangle_tf.metrics._mcc import correlation_matrix, mcc
from disentangle_tf.metrics._mig import mig
from disentangle_tf.metrics._mig_sup import mig_sup
from disentangle_tf.metrics._misalignment import misalignment
from disentangle_tf.metrics._modularity import modularity
from disentangle_tf.metrics._polarised_kl import polarised_kl
from disentangle_tf.metrics._posterior_law import posterior_law
from disentangle_tf.metrics._prior_mmd import prior_mmd
from disentangle_tf.metrics._reconstruction_parts import reconstruction_parts
from disentangle_tf.metrics._rmig import rmig
from disentangle_tf.metrics._sap import sap, sap_matrix
from disentangle_tf.metrics._strong_generalisation import strong_generalisation
from disentangle_tf.metrics._total_correlation import total_correlation
from disentangle_tf.metrics._udr import udr
from disentangle_tf.metrics._z_max_variance import z_max_variance
from disentangle_tf.metrics.parts.contract import (
  higher_is_better,
  lower_is_better,
  neither_is_better,
)
from disentangle_tf.metrics.parts.information import mutual_information_matrix

__all__ = [
  "active_latents",
  "active_units",
  "axis_ratios",
  "beta_vae_score",
  "clipped_pixels",
  "code_information",
  "correlation_matrix",
  "dci",
  "dci_es",
  "dci_fit",
  "dci_importance",
  "dci_lightgbm",
  "dcimig",
  "distance_agreement",
  "distance_to_orthogonality",
  "downstream_accuracies",
  "downstream_task",
  "evidence",
  "explicitness",
  "factor_vae_score",
  "fairness",
  "flatness",
  "higher_is_better",
  "hoyer",
  "infomec",
  "irs",
  "irs_matrix",
  "jemmig",
  "lower_is_better",
  "mcc",
  "mig",
  "mig_sup",
  "misalignment",
  "modularity",
  "mutual_information_matrix",
  "neither_is_better",
  "polarised_kl",
  "posterior_law",
  "prior_mmd",
  "reconstruction_parts",
  "rmig",
  "sap",
  "sap_matrix",
  "strong_generalisation",
  "total_correlation",
  "udr",
  "unfairness_matrix",
  "z_max_variance",
]
