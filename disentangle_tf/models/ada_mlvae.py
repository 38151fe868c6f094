"""Ada-ML-VAE (Locatello et al. 2020): as Ada-GVAE, shared latents multiplied."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.models.ada_gvae import AdaGVAE


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AdaMLVAE(AdaGVAE):
  """Ada-GVAE whose shared posterior is the normalised product of the two, root taken.

  The precision is the mean of the two precisions, the mean is weighted by them.

  Args: see `AdaGVAE`.

  Reference: Locatello et al., 2020, "Weakly-Supervised Disentanglement Without
  Compromises"; after Bouchacourt et al., 2018, "Multi-Level Variational Autoencoder".
  """

  def common_posterior(self, first, second):
    precisions = [1.0 / posterior.variance() for posterior in (first, second)]
    variance = 2.0 / (precisions[0] + precisions[1])
    weighted = precisions[0] * first.loc + precisions[1] * second.loc
    return tfp.distributions.Normal(0.5 * variance * weighted, tf.sqrt(variance))
