"""Ada-ML-VAE (Locatello et al. 2020): Ada-GVAE with products of posteriors."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.models.ada_gvae import AdaGVAE
from disentangle_tf.tensor_types import Distribution


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AdaMLVAE(AdaGVAE):
  """Ada-GVAE whose shared posterior is the geometric mean of the two densities.

  Its precision is the mean of the two precisions. Its mean is the average of the two
  means, weighted by the precisions.

  Args:
    The arguments are those of `AdaGVAE`.

  Reference: Locatello et al., 2020, "Weakly-Supervised Disentanglement Without
  Compromises"; after Bouchacourt et al., 2018, "Multi-Level Variational Autoencoder".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.AdaMLVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms((images, images), seed=(0, 0)))
    ['kl', 'reconstruction']
  """

  def common_posterior(self, first: Distribution, second: Distribution) -> Distribution:
    precisions = [1.0 / posterior.variance() for posterior in (first, second)]
    variance = 2.0 / (precisions[0] + precisions[1])
    weighted = precisions[0] * first.loc + precisions[1] * second.loc
    return tfp.distributions.Normal(0.5 * variance * weighted, tf.sqrt(variance))
