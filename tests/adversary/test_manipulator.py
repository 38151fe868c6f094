import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_networks
from tensorboard.backend.event_processing import event_accumulator

from disentangle_tf import losses, models, networks
from disentangle_tf.adversary import Manipulation, Manipulator, Reference
from disentangle_tf.adversary.manipulator import ManipulationMonitor
from disentangle_tf.data import Batches, FactorSpace, GroundTruthData, Spot
from disentangle_tf.errors import UserError


class Lighter:
  """Stands for a manipulator that makes all pixels lighter by half of its epsilon."""

  epsilon = 0.1

  def change(self, images, factors):
    assert len(images) == len(factors)
    return images + 0.05


def test_what_tensorboard_shows(tmp_path):
  with ManipulationMonitor(Lighter(), Spot(), tmp_path) as monitor:
    monitor.scalars(5, {"loss": -0.5, "entangled": 1.0}, 100.0)
    monitor.pictures(5)
  events = event_accumulator.EventAccumulator(str(tmp_path)).Reload()
  (gap,) = events.Tensors("adversary/gap")
  assert gap.step == 5 and tf.make_ndarray(gap.tensor_proto) == -0.5
  assert "adversary/entangled" in events.Tags()["tensors"]
  (picture,) = events.Tensors("original_change_sum")
  content = tf.make_ndarray(picture.tensor_proto)[2]
  pixels = tf.io.decode_png(content).numpy() / 255
  middle = pixels[len(pixels) // 2]  # of the row of changes: half of epsilon is 0.75
  assert np.isclose(middle, 0.75, atol=0.01).mean() > 0.8


EPSILON = 0.2


def _manipulator(**options):
  keras.utils.set_random_seed(0)
  data = tiny_data()
  references = [
    Reference.of_model(
      models.BetaVAE(*tiny_networks(), losses.MSE(), beta=1.0, reduction="sum"), data
    )
    for _ in range(3)
  ]
  picture = networks.mlp_decoder(data.observation_shape, latents=1, units=(8,))
  manipulator = Manipulator(
    Manipulation(picture, num_factors=len(data.factors.names)),
    references[:1],
    references[1:],
    data.factors,
    **{
      "epsilon": EPSILON,
      "decoder_optimizer": keras.optimizers.Adam(1e-2),
      **options,
    },
  )
  manipulator.compile(keras.optimizers.Adam(1e-2))
  manipulator.optimizer.build(manipulator.trainable_variables)
  return manipulator, references


def _batch(count=16, seed=0):
  data = tiny_data()
  factors = data.factors.draw(count, np.random.default_rng(seed)).astype(np.int32)
  return data.observe(factors), tf.constant(factors)


def _weights(references):
  return (
    [weight for r in references for weight in r.model.encoder.get_weights()],
    [weight for r in references for weight in r.model.decoder.get_weights()],
  )


def _same(first, second):
  return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_who_learns_from_which_part():
  manipulator, references = _manipulator()
  encoders, decoders = _weights(references)
  pictures = manipulator.manipulation.get_weights()
  images, factors = _batch()
  manipulator._teach_decoders(images, factors, (1, 2))
  assert _same(pictures, manipulator.manipulation.get_weights())
  taught = _weights(references)[1]
  assert not any(np.array_equal(a, b) for a, b in zip(decoders, taught, strict=True))
  manipulator._teach_manipulation(images, factors, (1, 2))
  assert _same(taught, _weights(references)[1])
  assert not _same(pictures, manipulator.manipulation.get_weights())
  assert _same(encoders, _weights(references)[0])


def test_a_step_takes_three_parts_for_the_decoders_and_one_for_the_pictures():
  images, factors = _batch()
  (whole, references), (other, others) = _manipulator(), _manipulator()
  terms = whole.train_step((images, factors))
  changed, changed_factors = _batch(4, seed=1)
  other.train_step(
    (
      tf.concat([images[:12], changed], axis=0),
      tf.concat([factors[:12], changed_factors], axis=0),
    )
  )
  assert _same(_weights(references)[1], _weights(others)[1])
  assert int(whole.decoder_optimizer.iterations) == 3
  assert int(whole.optimizer.iterations) == 1
  assert float(terms["loss"]) == pytest.approx(
    float(terms["entangled"] - terms["disentangled"]), rel=1e-5
  )


def test_the_gradient_that_the_pictures_follow():
  """The gradient of the gap by an image x is 2 (E Dec_dis - E Dec_ent).

  Each loss is E ||Dec(z) - x||^2 with decoder and codes held fixed, so its gradient is
  2 (x - E Dec(z)), and x drops out of the difference of two.
  """
  manipulator, references = _manipulator(samples=2)
  images, factors = _batch(4)
  manipulated = tf.Variable(images)
  with tf.GradientTape() as tape:
    found = manipulator.reconstruction_losses(manipulated, factors, (3, 4))
    gap = found["entangled"] - found["disentangled"]
  gradient = 4 * tape.gradient(gap, manipulated).numpy()  # of each image: no mean
  # The same draws, decoded one reference at a time by perturbing nothing.
  means = []
  for kind, of_kind in manipulator.references.items():
    decoded = []
    for number, reference in enumerate(of_kind):
      codes = _codes(manipulator, reference, kind, number, factors)
      decoded.append(np.mean([reference.model.decode(each) for each in codes], axis=0))
    means.append(np.mean(decoded, axis=0))
  np.testing.assert_allclose(gradient, 2 * (means[1] - means[0]), atol=1e-4)


def _codes(manipulator, reference, kind, number, factors):
  import tensorflow_probability as tfp

  from disentangle_tf.random_streams import random_uniform, split_seed

  uniform = random_uniform([2, 4, 3], split_seed((3, 4), f"{kind}_{number}"))
  noise = tfp.distributions.Normal(0.0, 1.0).quantile(uniform)
  return reference.draw(tiny_data().factors.to_index(factors.numpy()), noise)


def test_no_pixel_changes_by_more_than_epsilon():
  manipulator, _ = _manipulator()
  manipulator.manipulation.picture.set_weights(
    [50 * weight for weight in manipulator.manipulation.picture.get_weights()]
  )
  images, factors = _batch()
  changed = manipulator.change(images, factors).numpy()
  assert np.abs(changed - images).max() <= EPSILON + 1e-6
  assert np.abs(changed - images).max() > 0.9 * EPSILON
  assert changed.min() >= 0 and changed.max() <= 1


class Blank(GroundTruthData):
  """Grey images, whatever their two factors are."""

  name = "blank"
  renders_on_device = True

  def __init__(self):
    self.factors = FactorSpace(("a", "b"), (21, 21))
    self.observation_shape = (4, 4, 1)

  def observe(self, factors, seed=None):
    return tf.fill([tf.shape(factors)[0], *self.observation_shape], 0.5)


def test_the_scalar_turns_to_where_entangled_codes_know_more():
  """Codes of known noise: variances .02 and .08 of the factors, or of these turned.

  Codes say where the factors are up to a noise of covariance P. A picture that moves
  with a^T w costs the squared error a^T P a, for small P. P_dis = diag(.02, .08); codes
  turned by 45 degrees have P_ent = [[.05, .03], [.03, .05]]. The gap
  a^T (P_ent - P_dis) a is least along the eigenvector of the eigenvalue
  -.03 sqrt(2) = -.0424, which lies at 112.5 degrees.
  """
  keras.utils.set_random_seed(0)
  data, turn = Blank(), np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
  factors = 2 * data.factors.to_factors(np.arange(len(data))) / 20 - 1
  scales = np.tile(np.sqrt([0.02, 0.08]), (len(data), 1)).astype(np.float32)
  shape = data.observation_shape
  entangled, disentangled = (
    Reference(
      models.BetaVAE(
        networks.mlp_encoder(shape, latents=2, units=()),
        networks.mlp_decoder(shape, latents=2, units=(64,)),
        losses.MSE(),
        beta=1.0,
      ),
      means.astype(np.float32),
      scales,
    )
    for means in (factors @ turn, factors)
  )
  manipulation = Manipulation(
    networks.mlp_decoder(shape, latents=1, units=()), num_factors=2
  )
  manipulator = Manipulator(
    manipulation,
    [entangled],
    [disentangled],
    data.factors,
    epsilon=0.1,
    decoder_optimizer=keras.optimizers.Adam(5e-3),
  )
  manipulator.compile(keras.optimizers.Adam(5e-3))
  manipulator.optimizer.build(manipulator.trainable_variables)
  batches = Batches(data, batch_size=256, label_of=lambda drawn: drawn)
  step = tf.function(lambda place: manipulator.train_step(batches.make(place)))
  gaps = [float(step(tf.constant(place))["loss"]) for place in range(400)]
  first, second = manipulation.scalar.get_weights()[0][:, 0]
  angle = np.degrees(np.arctan2(second, first)) % 180
  assert angle == pytest.approx(112.5, abs=8)
  assert np.mean(gaps[-20:]) < -0.002 < np.mean(gaps[:20])


@pytest.mark.parametrize(
  ("options", "words"),
  [
    ({"epsilon": 0.5}, "epsilon is 0.5: it must be at most 0.49"),
    ({"epsilon": 0}, "epsilon is 0"),
    ({"samples": 0}, "samples is 0"),
  ],
)
def test_settings_that_cannot_be(options, words):
  with pytest.raises(UserError, match=words):
    _manipulator(**options)
