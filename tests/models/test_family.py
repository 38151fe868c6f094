"""The promises of a model, kept by every member of the family."""

import numpy as np
import pytest
import tensorflow as tf
from family import BATCHES, FAMILY
from shared_checks import run_model_test, tiny_data

from disentangle_tf import losses, priors
from disentangle_tf.data import Batches
from disentangle_tf.random_streams import stream_seed

UNUSED = {"ae": ["log_variance"], "pcl": ["log_variance"]}
VARIANTS = {  # of a model that is tested beside them
  *("ada_mlvae", "beta_tcvae_stratified", "dip_vae_i", "inclusive_kl"),
  *("learned_prior", "learned_scale"),
}


@pytest.mark.parametrize(
  "name",
  [
    pytest.param(name, marks=[pytest.mark.slow] * (name in VARIANTS)) for name in FAMILY
  ],
)
def test_keeps_the_promises_of_a_model(name, tmp_path, two_replicas):
  run_model_test(
    FAMILY[name],
    tiny_data(),
    tmp_path,
    two_replicas,
    unused=UNUSED.get(name, ()),
    **BATCHES.get(name, {}),
  )


# model, the hyper-parameter's first and second value, and the terms it may change
HYPER_PARAMETERS = [
  ("vae", {"reduction": "mean"}, {"reduction": "sum"}, {"reconstruction", "kl"}),
  ("vae", {}, {"prior": priors.StudentT(3)}, {"kl"}),
  ("beta_vae", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
  ("annealed_vae", {"gamma": 10.0}, {"gamma": 20.0}, {"capacity"}),
  ("control_vae", {"kl_target": 5.0}, {"kl_target": 6.0}, {"kl"}),
  ("control_vae", {"kp": 0.01}, {"kp": 0.02}, {"kl"}),
  ("control_vae", {"beta_min": 0.0}, {"beta_min": 1.0}, {"kl"}),
  ("factor_vae", {"gamma": 1.0}, {"gamma": 2.0}, {"total_correlation"}),
  ("beta_tcvae", {"beta": 2.0}, {"beta": 3.0}, {"total_correlation"}),
  (
    "beta_tcvae_stratified",
    {"num_points": 256},
    {"num_points": 20},
    {"total_correlation"},
  ),
  (
    "beta_tcvae",
    {},
    {"estimator": "stratified", "num_points": 256},
    {"total_correlation"},
  ),
  ("dip_vae_ii", {"lambda_od": 1.0}, {"lambda_od": 2.0}, {"off_diagonal"}),
  ("dip_vae_ii", {"lambda_d": 1.0}, {"lambda_d": 2.0}, {"diagonal"}),
  ("dip_vae_i", {"lambda_od": 1.0}, {"lambda_od": 2.0}, {"off_diagonal", "diagonal"}),
  ("dip_vae_ii", {"dip_type": "i"}, {"dip_type": "ii"}, {"diagonal"}),
  ("mmd", {"alpha": 1.0}, {"alpha": 2.0}, {"aggregate"}),
  ("mmd", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
  (
    "mmd",
    {"aggregate_divergence": losses.MMD(scales=(1.0,))},
    {"aggregate_divergence": losses.MMD(scales=(2.0,))},
    {"aggregate"},
  ),
  (
    "mmd",
    {"prior": priors.SparseMixture(0.5)},
    {"prior": priors.SparseMixture(0.6)},
    {"aggregate", "kl"},
  ),
  ("ada_gvae", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
  ("ada_gvae", {"ratio": 0.1}, {"ratio": 0.9}, {"reconstruction", "kl"}),
  ("slow_vae", {"gamma": 1.0}, {"gamma": 2.0}, {"transition"}),
  ("slow_vae", {"rate": 1.0}, {"rate": 2.0}, {"transition"}),
  ("slow_vae", {"beta": 1.0}, {"beta": 2.0}, {"kl"}),
]


@pytest.mark.parametrize(("name", "first", "second", "changed"), HYPER_PARAMETERS)
def test_a_hyper_parameter_changes_what_it_should(name, first, second, changed):
  batch = Batches(tiny_data(), batch_size=16, **BATCHES.get(name, {})).make(0)
  terms, gradients = {}, {}
  for options in (first, second):
    model = FAMILY[name](**options)
    with tf.GradientTape(persistent=True) as tape:
      terms[str(options)] = model.loss_terms(batch, stream_seed(0, "test"))
    gradients[str(options)] = {
      term: tape.gradient(value, model.encoder.trainable_variables)
      for term, value in terms[str(options)].items()
    }
  (one, other), (ours, theirs) = terms.values(), gradients.values()
  assert set(one) == set(other) >= changed
  for term in one:
    same = [_alike(a, b) for a, b in zip(ours[term], theirs[term], strict=True)]
    assert _alike(one[term], other[term]) == (term not in changed)
    assert all(same) == (term not in changed)


def _alike(first, second):
  """The same but for rounding."""
  return np.allclose(first, second, rtol=1e-5, atol=1e-5 * np.abs(first).max())
