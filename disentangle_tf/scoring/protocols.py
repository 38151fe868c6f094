"""Named lists of measurements, so that scores compare with published ones.

Each is a constant here; `bin/evaluate.py --protocol` and a study's `metrics` name it in
lower case.
"""

import typing

from disentangle_tf import metrics
from disentangle_tf.scoring.measurement import Measurement

_Options = dict[str, typing.Any]
_BOOSTED: _Options = {"predictor": "gradient_boosting"}

# Locatello et al. 2019 as computed by their code, disentanglement_lib: the six metrics,
# scores without labels, and the downstream tasks. Their 64,000 points for the ELBO need
# gigabytes of images at once; 5,000 points have a standard error of 0.3 %, which is
# 0.08 of the 28 nats of a small beta-VAE.
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

# The same as printed in the paper's appendix B, where its code differs: "variance
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

# The same measurements for studies of many small models: fewer batches, fewer points to
# fit predictors, and downstream tasks of up to 1,000 labels. Mutual information counted
# in bins keeps its points, since few points would bias it.
_FEW_POINTS: _Options = {"num_points": 1_000, "num_test_points": 1_000}
_FEW_BATCHES: _Options = {
  "batch_size": 16,
  "num_train": 500,
  "num_eval": 500,
}
_FEW_LABELS: _Options = {
  "sizes": (10, 100, 1_000),
  "efficiency_sizes": (100, 1_000),
}
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

# For studies that compare both versions: LOCATELLO_SMALL with the covariance of
# footnote 3 and up to 10,000 labels (boosted trees up to 1,000, since 10,000 take
# minutes), then the metrics that appendix B prints in another way.
_FOOTNOTE = {metrics.total_correlation: _AS_PRINTED[metrics.total_correlation]}
LOCATELLO_BOTH_SMALL = (
  *(
    m.with_options(_FOOTNOTE.get(m.metric, {}))
    for m in LOCATELLO_SMALL
    if m.metric is not metrics.downstream_task or m.options.get("predictor")
  ),
  Measurement(
    metrics.downstream_task,
    num_points=10_000,
    num_test_points=2_000,
    options={"sizes": (100, 1_000, 10_000), "efficiency_sizes": (100, 10_000)},
  ),
  Measurement(
    metrics.factor_vae_score,
    options={**_FEW_BATCHES, **_AS_PRINTED[metrics.factor_vae_score]},
    prefix="appendix_factor_vae_",
  ),
  Measurement(
    metrics.explicitness,
    options=_AS_PRINTED[metrics.explicitness],
    prefix="appendix_",
    **_FEW_POINTS,
  ),
  Measurement(
    metrics.dci,
    num_points=500,
    num_test_points=1_000,
    options=_AS_PRINTED[metrics.dci],
    prefix="appendix_",
  ),
  Measurement(
    metrics.sap, options=_AS_PRINTED[metrics.sap], prefix="appendix_", **_FEW_POINTS
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
# of disentanglement_lib; pruned latents (section 5.3); and the reconstruction error,
# because a low score of a model that does not reconstruct has no meaning.
ZIETLOW = (
  Measurement(metrics.mig),
  Measurement(metrics.dci),
  Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
  Measurement(metrics.sap),
  Measurement(metrics.active_latents),
  Measurement(metrics.evidence, num_points=5_000),
)

# The same for data sets of a few hundred images, such as `data.Spot`. Means take every
# image once. Metrics that count or fit draw more points than there are images, because
# each point of a noisy data set is a new image: the MIG of 169 noisy spots is 0.62 with
# one image each, and 0.75 with 10,000 images and more.
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

# Predictions of Zietlow et al. 2021 and Rolinek et al. 2019 about VAEs: pruned latents,
# parts of the reconstruction error, a polarised KL, posterior variances that match the
# decoder, orthogonal columns of its Jacobian. A Jacobian takes 2 * latents decoded
# images per point, hence few points: with ten latents and colour images of 64x64 they
# take 0.25 GB. The last measurement checks whether the decoder clips.
_FEW_DECODED: _Options = {"num_points": 500}
THEORY = (
  Measurement(metrics.active_latents),
  Measurement(metrics.reconstruction_parts, **_FEW_DECODED),
  Measurement(metrics.polarised_kl),
  Measurement(metrics.posterior_law, **_FEW_DECODED),
  Measurement(metrics.misalignment, **_FEW_DECODED),
  Measurement(metrics.distance_to_orthogonality, **_FEW_DECODED),
  Measurement(metrics.clipped_pixels, **_FEW_DECODED),
)

# Takes seconds: cheap metrics, and DCI on few points.
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

# All measurements of one model; metrics that count also on the whole data set.
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
