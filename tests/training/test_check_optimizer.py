import keras
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.training.check_optimizer import check_optimizer

BAD = [
  ({"beta_1": "a"}, "Adam does not accept its settings"),
  ({"epsilon": "a"}, "Adam does not accept its settings"),
  ({"loss_scale_factor": "a"}, "Adam does not accept its settings"),
  ({"learning_rate": dict}, "Adam does not accept its settings"),
  ({"learning_rate": float("inf")}, "Adam makes weights that are not finite"),
  ({"amsgrad": "no"}, "Adam.amsgrad is 'no': it must be True or False"),
  ({"use_ema": 1}, "Adam.use_ema is 1"),
  ({"clipnorm": "a"}, "Adam.clipnorm is 'a'"),
  ({"gradient_accumulation_steps": 2.5}, "Adam.gradient_accumulation_steps is 2.5"),
]


@pytest.mark.parametrize(("bad", "words"), BAD)
def test_what_keras_would_notice_late_is_told(bad, words):
  with pytest.raises(UserError, match=words):
    check_optimizer(keras.optimizers.Adam(**bad))


@pytest.mark.parametrize(
  "settings",
  [{"gradient_accumulation_steps": 2}, {"use_ema": True, "ema_overwrite_frequency": 3}],
)
@pytest.mark.parametrize("scaled", [False, True])
def test_what_replicas_cannot_do_together_is_told(settings, scaled):
  optimizer = keras.optimizers.SGD(0.1, **settings)
  *_, (name, value) = settings.items()
  if scaled:
    optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
  with pytest.raises(
    UserError, match=f"^SGD.{name} is {value}: several replicas cannot"
  ):
    check_optimizer(optimizer, num_replicas=2)
  check_optimizer(optimizer)


@pytest.mark.parametrize(
  "optimizer",
  [
    keras.optimizers.Adam(
      keras.optimizers.schedules.CosineDecay(0.1, 10), weight_decay=0.1, use_ema=True
    ),
    keras.optimizers.SGD(0.1, momentum=0.9, gradient_accumulation_steps=2),
    keras.optimizers.LossScaleOptimizer(keras.optimizers.RMSprop(clipnorm=1.0)),
  ],
)
def test_what_is_sound_passes(optimizer):
  check_optimizer(optimizer)
