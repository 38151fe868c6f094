import numpy as np
import pytest
import tensorflow as tf
import tensorflow_probability as tfp
from scipy import stats
from shared_checks import tiny_model

from disentangle_tf import models
from disentangle_tf.errors import UserError
from disentangle_tf.priors import TfpPrior

tfd = tfp.distributions


def test_a_model_takes_any_tfp_distribution():
  model = tiny_model(models.VAE, prior=tfd.Laplace(0.0, 1.0))
  again = models.VAE.from_config(model.get_config())
  assert isinstance(again.prior.distribution, tfd.Laplace)


def test_density_is_the_distributions():
  codes = np.array([[0.5, -2.0]], np.float32)
  found = TfpPrior(tfd.Laplace(1.0, 2.0)).log_prob(codes)
  np.testing.assert_allclose(found, stats.laplace.logpdf(codes, 1, 2).sum(1), 1e-5)


def test_what_is_saved_is_the_class_and_its_parameters():
  config = TfpPrior(tfd.Independent(tfd.Normal([0.0, 1.0], 2.0), 1)).get_config()
  saved = config["distribution"]
  assert saved["class"] == "Independent"
  inner = saved["parameters"]["distribution"]
  assert inner["class"] == "Normal"
  assert inner["parameters"]["loc"] == [0.0, 1.0] and inner["parameters"]["scale"] == 2


def test_what_cannot_be_saved_is_told():
  prior = TfpPrior(
    tfd.TransformedDistribution(tfd.Normal(0.0, 1.0), tfp.bijectors.Exp())
  )
  with pytest.raises(UserError, match="cannot be saved: write your own subclass"):
    prior.get_config()


def test_distributions_of_matrices_are_refused():
  unit = tf.linalg.LinearOperatorIdentity(2)
  matrices = tfd.MatrixNormalLinearOperator(tf.zeros([2, 2]), unit, unit)
  with pytest.raises(UserError, match="has events of shape"):
    tiny_model(models.VAE, prior=matrices)
