"""ControlVAE (Shao et al. 2020): a controller keeps the KL at a target."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_coefficient, check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.models.vae import VAE
from disentangle_tf.tensor_types import Batch, Coefficient, Distribution, Terms


@keras.saving.register_keras_serializable(package="disentangle_tf")
class ControlVAE(VAE):
  """ControlVAE: a beta-VAE whose beta a PI controller sets at every step.

  With the error e = target - KL of the batch, beta = kp / (1 + exp(e)) - I + beta_min,
  limited to [beta_min, beta_max]. The integral I grows by ki * e after every step at
  which beta is within its limits. The state is saved in checkpoints.

  Args:
    kl_target: KL of the whole code in nats, a number from 0 up or a schedule, such as
      one that rises.
    kp, ki: gains of the proportional and the integral part, from 0 up.
    beta_min, beta_max: limits of beta, from 0 up.

  The other arguments are those of `VAE`.

  Reference: Shao et al., 2020, "ControlVAE: Controllable Variational Autoencoder",
  equation 9 and algorithm 1.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.ControlVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   kl_target=5.0,
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms(images, seed=(0, 0)))
    ['kl', 'reconstruction']
  """

  needs_whole_batch = True

  def __init__(
    self,
    *args: Any,
    kl_target: Coefficient,
    kp: float = 0.01,
    ki: float = 0.001,
    beta_min: float = 0.0,
    beta_max: float = 100.0,
    **shared: Any,
  ) -> None:
    super().__init__(*args, **shared)
    check_coefficient("ControlVAE", kl_target=kl_target)
    check_weight("ControlVAE", kp=kp, ki=ki, beta_min=beta_min, beta_max=beta_max)
    if beta_max <= beta_min:
      raise UserError(
        f"ControlVAE.beta_max is {beta_max!r}: it must be above beta_min, {beta_min!r}"
      )
    self.kl_target = kl_target
    self.kp = kp
    self.ki = ki
    self.beta_min = beta_min
    self.beta_max = beta_max
    self.integral = self._number("integral")
    self.error = self._number("error")  # of the last batch

  def _number(self, name: str) -> keras.Variable:
    # Every replica computes the same value, that of the whole batch.
    return keras.Variable(
      0.0, trainable=False, dtype="float32", aggregation="only_first_replica", name=name
    )

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    divergence = whole_batch(tf.reduce_sum(self.divergence(posterior, codes), axis=1))
    measured = tf.stop_gradient(tf.reduce_mean(divergence))
    self.error.assign(tf.cast(self.now(self.kl_target) - measured, tf.float32))
    beta = tf.clip_by_value(self._wanted_beta(), self.beta_min, self.beta_max)
    return {"kl": beta * super().regularisation(posterior, codes, seed)["kl"]}

  def _wanted_beta(self) -> tf.Tensor:
    """The controller's output before it is limited."""
    proportional = self.kp * tf.sigmoid(-tf.convert_to_tensor(self.error))
    return proportional - self.integral + self.beta_min

  def train_step(self, batch: Batch) -> Terms:
    logs = super().train_step(batch)
    wanted = self._wanted_beta()
    within = (wanted >= self.beta_min) & (wanted <= self.beta_max)
    change = tf.where(within, self.ki * tf.convert_to_tensor(self.error), 0.0)
    self.integral.assign_add(change)
    return logs
