"""beta-TCVAE (Chen et al. 2018): the total correlation is weighted by beta."""

import keras

from disentangle_tf.argument_checks import check_coefficient
from disentangle_tf.losses.aggregate_posterior import (
  check_estimator,
  total_correlation,
)
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.models.vae import VAE


@keras.saving.register_keras_serializable(package="disentangle_tf")
class BetaTCVAE(VAE):
  """A VAE whose total correlation weighs `beta` times: KL + (beta - 1) TC.

  The total correlation is that of the aggregate posterior, estimated from the batch.

  Args:
    beta: weight of the total correlation; 1 is the plain VAE.
    estimator: "weighted" or "stratified", see `losses.aggregate_posterior`.
    num_points: size of the data set; "stratified" needs it, to "weighted" it is a
      constant.
    The others: see `VAE`.

  Reference: Chen et al., 2018, "Isolating Sources of Disentanglement in Variational
  Autoencoders".
  """

  needs_whole_batch = True

  def __init__(self, *args, beta, estimator="weighted", num_points=None, **shared):
    super().__init__(*args, **shared)
    check_coefficient("BetaTCVAE", beta=beta)
    check_estimator(estimator, num_points)
    self.beta = beta
    self.estimator = estimator
    self.num_points = num_points

  def regularisation(self, posterior, codes, seed):
    correlation = total_correlation(
      self.whole_posterior(posterior),
      whole_batch(codes),
      estimator=self.estimator,
      num_points=self.num_points,
    )
    weight = self.now(self.beta) - 1.0
    return {
      **super().regularisation(posterior, codes, seed),
      "total_correlation": weight * self._of_all_latents(correlation),
    }
