"""Named lists of measurements, so that scores compare with published ones.

Each is a constant here; `bin/evaluate.py --protocol` and a study's `metrics` name it in
lower case.
"""

from disentangle_tf import metrics
from disentangle_tf.evaluation.measurement import Measurement

_BOOSTED = {"predictor": "gradient_boosting"}

# Locatello et al. 2019 as its code, disentanglement_lib, computes it: the six metrics,
# what needs no labels, and the downstream tasks. Its 64,000 points for the ELBO would
# be gigabytes of images at once; 5,000 leave a standard error of 0.3 %, 0.08 nats of a
# small beta-VAE's 28.
LOCATELLO = (
  Measurement(metrics.beta_vae_score, prefix="beta_vae_"),
  Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
  Measurement(metrics.mig),
  Measurement(metrics.modularity),
  Measurement(metrics.explicitness),
  Measurement(metrics.dci),
  Measurement(metrics.sap),
  Measurement(metrics.total_correlation),
  Measurement(metrics.total_correlation, sampled=True, prefix="sampled_"),
  Measurement(metrics.evidence, num_points=5_000),
  Measurement(metrics.downstream_task),
  Measurement(metrics.downstream_task, options=_BOOSTED),
)

# The same where the paper's appendix B prints what its code does not do: "variance
# smaller than 0.05", "one-versus-rest", "SVM with l1 regularization and C=1", "average"
# of completeness, "remove mean and standard deviation"; footnote 3 on the covariance.
_AS_PRINTED = {
  metrics.factor_vae_score: {"threshold": 0.05**0.5},
  metrics.explicitness: {"one_versus_rest": True},
  metrics.dci: {"predictor": "svm", "weighted_completeness": False},
  metrics.sap: {"standardised": True, "balanced": False},
  metrics.total_correlation: {"diagonal": 1e-5},
}
LOCATELLO_APPENDIX = tuple(
  m.with_metric(m.metric, _AS_PRINTED.get(m.metric, {})) for m in LOCATELLO
)

# The same measurements for studies of many small models: fewer batches, and points
# where a predictor is fitted; downstream tasks end at 1,000 labels. Information that
# is counted in bins keeps its points, since few would bias it.
_FEW_POINTS = {"num_points": 1_000, "num_test_points": 1_000}
_FEW_BATCHES = {"batch_size": 16, "num_train": 500, "num_eval": 500}
_FEW_LABELS = {"sizes": (10, 100, 1_000), "efficiency_sizes": (100, 1_000)}
LOCATELLO_SMALL = (
  Measurement(metrics.beta_vae_score, options=_FEW_BATCHES, prefix="beta_vae_"),
  Measurement(metrics.factor_vae_score, options=_FEW_BATCHES, prefix="factor_vae_"),
  Measurement(metrics.mig),
  Measurement(metrics.modularity),
  Measurement(metrics.explicitness, **_FEW_POINTS),
  Measurement(metrics.dci, num_points=500, num_test_points=1_000),
  Measurement(metrics.sap, **_FEW_POINTS),
  Measurement(metrics.total_correlation),
  Measurement(metrics.total_correlation, sampled=True, prefix="sampled_"),
  Measurement(metrics.evidence, num_points=1_000),
  Measurement(metrics.downstream_task, options=_FEW_LABELS, **_FEW_POINTS),
  Measurement(
    metrics.downstream_task, options={**_FEW_LABELS, **_BOOSTED}, **_FEW_POINTS
  ),
)

# Michlo et al. 2023: MIG and DCI of finished models, and of models in training.
MICHLO_FINAL = (Measurement(metrics.mig), Measurement(metrics.dci))
MICHLO_DURING_TRAINING = (
  Measurement(metrics.mig, num_points=2_000),
  Measurement(metrics.dci, num_points=1_000, num_test_points=500),
)

# Mathieu et al. 2019: disentangling against reconstruction (figure 2); sparsity,
# reconstruction and the fit of the prior, for which no factors are needed (figure 4).
MATHIEU_FIGURE_2 = (
  Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
  Measurement(metrics.evidence, num_points=5_000),
)
MATHIEU_FIGURE_4 = (
  Measurement(metrics.hoyer),
  Measurement(metrics.evidence, num_points=2_000),
  Measurement(metrics.prior_mmd, num_points=2_000, sampled=True),
)

# Zietlow et al. 2021: the metrics of tables 1 and 3 to 5 with the code, points and bins
# of disentanglement_lib; which latents are pruned (section 5.3); and reconstruction,
# without which nothing follows from a low score.
ZIETLOW = (
  Measurement(metrics.mig),
  Measurement(metrics.dci),
  Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
  Measurement(metrics.sap),
  Measurement(metrics.active_latents),
  Measurement(metrics.evidence, num_points=5_000),
)

# The same for sets of a few hundred images, such as `data.Spot`. Means are of every
# image once. What counts or fits draws more points than there are images, for the sake
# of noisy sets, where each is a new image: MIG of 169 noisy spots is 0.62 on one image
# each, 0.75 on 10,000 and more.
ZIETLOW_SMALL = (
  Measurement(metrics.mig),
  Measurement(metrics.dci, num_points=500, num_test_points=500),
  Measurement(
    metrics.factor_vae_score,
    options={**_FEW_BATCHES, "num_variance_estimate": 1_000},
    prefix="factor_vae_",
  ),
  Measurement(metrics.sap, **_FEW_POINTS),
  Measurement(metrics.active_latents, num_points="all"),
  Measurement(metrics.evidence, num_points="all"),
)

# What Zietlow et al. 2021 and Rolinek et al. 2019 say of VAEs, measured: which latents
# are pruned, what the reconstruction error is made of, whether the KL is polarised,
# posteriors as the decoder wants them, columns orthogonal. The decoder shows 2 *
# latents images a point for a Jacobian, hence few points: of colour images of 64x64
# and ten latents they take 0.25 GB. Last whether the decoder shows what it computes.
_FEW_DECODED = {"num_points": 500}
THEORY = (
  Measurement(metrics.active_latents),
  Measurement(metrics.reconstruction_parts, **_FEW_DECODED),
  Measurement(metrics.polarised_kl),
  Measurement(metrics.posterior_law, **_FEW_DECODED),
  Measurement(metrics.misalignment, **_FEW_DECODED),
  Measurement(metrics.distance_to_orthogonality, **_FEW_DECODED),
  Measurement(metrics.clipped_pixels, **_FEW_DECODED),
)

# Seconds: what is cheap, and DCI on few points.
FAST = (
  Measurement(metrics.mig),
  Measurement(metrics.dci, num_points=1_000, num_test_points=500),
  Measurement(metrics.modularity),
  Measurement(metrics.explicitness, num_points=2_000, num_test_points=1_000),
  Measurement(metrics.sap, num_points=2_000, num_test_points=1_000),
  Measurement(metrics.mcc),
  Measurement(metrics.total_correlation),
  Measurement(metrics.active_units),
)

# All that one model can be asked; what counts, on the whole set.
FULL = (
  *LOCATELLO,
  Measurement(metrics.mig, num_points="all", prefix="whole_set_"),
  Measurement(metrics.modularity, num_points="all", prefix="whole_set_"),
  Measurement(metrics.mig_sup),
  Measurement(metrics.rmig),
  Measurement(metrics.jemmig),
  Measurement(metrics.dcimig),
  Measurement(metrics.dci_es),
  Measurement(metrics.infomec),
  Measurement(metrics.irs),
  Measurement(metrics.mcc),
  Measurement(metrics.z_max_variance, prefix="z_max_"),
  Measurement(metrics.axis_ratios),
  Measurement(metrics.flatness),
  Measurement(metrics.hoyer),
  Measurement(metrics.prior_mmd, num_points=2_000, sampled=True),
  Measurement(metrics.code_information, num_points=2_000),
  Measurement(metrics.active_units),
  Measurement(metrics.strong_generalisation, prefix="strong_generalisation_"),
  Measurement(metrics.fairness),
  *THEORY,
)
