"""Disentanglement metrics: functions of arrays that return `{score: float}`.

They need NumPy, SciPy and scikit-learn only. Codes are `[points, latents]`, factors
`[points, factors]`, usually integers. Each metric has a file of its name, with the
matrix behind its scores, and declares whether its scores are better when higher or
lower. `parts` holds what several metrics share.
"""

from disentangle_tf.metrics.active_latents import active_latents
from disentangle_tf.metrics.active_units import active_units
from disentangle_tf.metrics.axis_ratios import axis_ratios
from disentangle_tf.metrics.beta_vae_score import beta_vae_score
from disentangle_tf.metrics.clipped_pixels import clipped_pixels
from disentangle_tf.metrics.code_information import code_information
from disentangle_tf.metrics.dci import dci, dci_fit, dci_importance
from disentangle_tf.metrics.dci_es import dci_es
from disentangle_tf.metrics.dci_lightgbm import dci_lightgbm
from disentangle_tf.metrics.dcimig import dcimig
from disentangle_tf.metrics.distance_agreement import distance_agreement
from disentangle_tf.metrics.distance_to_orthogonality import distance_to_orthogonality
from disentangle_tf.metrics.downstream_task import (
  downstream_accuracies,
  downstream_task,
)
from disentangle_tf.metrics.evidence import evidence
from disentangle_tf.metrics.explicitness import explicitness
from disentangle_tf.metrics.factor_vae_score import factor_vae_score
from disentangle_tf.metrics.fairness import fairness, unfairness_matrix
from disentangle_tf.metrics.flatness import flatness
from disentangle_tf.metrics.hoyer import hoyer
from disentangle_tf.metrics.infomec import infomec
from disentangle_tf.metrics.irs import irs, irs_matrix
from disentangle_tf.metrics.jemmig import jemmig
from disentangle_tf.metrics.mcc import correlation_matrix, mcc
from disentangle_tf.metrics.mig import mig
from disentangle_tf.metrics.mig_sup import mig_sup
from disentangle_tf.metrics.misalignment import misalignment
from disentangle_tf.metrics.modularity import modularity
from disentangle_tf.metrics.parts.directions import (
  higher_is_better,
  lower_is_better,
  neither_is_better,
)
from disentangle_tf.metrics.parts.information import mutual_information_matrix
from disentangle_tf.metrics.polarised_kl import polarised_kl
from disentangle_tf.metrics.posterior_law import posterior_law
from disentangle_tf.metrics.prior_mmd import prior_mmd
from disentangle_tf.metrics.reconstruction_parts import reconstruction_parts
from disentangle_tf.metrics.rmig import rmig
from disentangle_tf.metrics.sap import sap, sap_matrix
from disentangle_tf.metrics.strong_generalisation import strong_generalisation
from disentangle_tf.metrics.total_correlation import total_correlation
from disentangle_tf.metrics.udr import udr
from disentangle_tf.metrics.z_max_variance import z_max_variance

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
