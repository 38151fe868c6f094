import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models
from disentangle_tf.adversary import Candidate, Reference, choose_references
from disentangle_tf.data import NoisyDSprites
from disentangle_tf.errors import UserError


def test_posteriors_are_those_of_the_original_images():
  model, data = tiny_model(), tiny_data()
  reference = Reference.of_model(model, data, batch_size=7)
  factors = data.factors.to_factors(np.arange(len(data)))
  posterior = model.encode(data.observe(factors))
  np.testing.assert_allclose(reference.means, posterior.mean(), atol=1e-6)
  np.testing.assert_allclose(reference.scales, posterior.stddev(), atol=1e-6)
  codes = reference.draw([3, 5], tf.constant([[[2.0, 0, 0], [0, 0, -1.0]]]))
  expected = reference.means[[3, 5]] + reference.scales[[3, 5]] * [
    [2, 0, 0],
    [0, 0, -1],
  ]
  np.testing.assert_allclose(codes[0], expected, atol=1e-6)


def test_the_loss_is_a_sum_over_pixels_of_standardised_images():
  model, data = tiny_model(), tiny_data()
  reference = Reference.of_model(model, data)
  images = data.observe(data.factors.to_factors(np.arange(4)))
  codes = tf.random.stateless_normal([3, 4, 3], (0, 1))
  mean, std = (np.array(values) for values in data.standardisation())
  decoded = model.decoder(tf.reshape(codes, [12, 3])).numpy()
  targets = np.tile((images.numpy() - mean) / std, (3, 1, 1, 1))
  expected = ((decoded - targets) ** 2).sum(axis=(1, 2, 3)).mean()
  found = reference.reconstruction_loss(images, codes)
  assert float(found) == pytest.approx(expected, rel=1e-5)


def test_images_that_change_each_time_have_no_posterior():
  with pytest.raises(UserError, match="needs one image per point"):
    Reference.of_model(tiny_model(), NoisyDSprites(image_size=8, sizes=(1, 1, 1, 2, 2)))


def _model(seed, *, error=1.0, log_variance=-3.0):
  """An untrained model that reconstructs every image as the same grey.

  Args:
    error: how many times as large its squared error is as that of the mean of all
      pixels.
    log_variance: of all its posteriors.
  """
  keras.utils.set_random_seed(seed)
  model = models.BetaVAE(*tiny_networks(), losses.MSE(), beta=1.0, reduction="sum")
  _set_log_variance(model.encoder, log_variance)
  _set_constant(model.decoder, _level(error))
  return model


def _images():
  data = tiny_data()
  return data.observe(data.factors.draw(1024, np.random.default_rng(0))).numpy()


def _level(error):
  """The constant image whose squared error is `error` times that of the mean's."""
  images = _images()
  mean, variance = images.mean(), images.var()
  return mean + np.sqrt((error - 1) * variance)


def _set_constant(decoder, level):
  *weights, kernel, bias = decoder.get_weights()
  decoder.set_weights([*weights, 0 * kernel, 0 * bias + level])


def _set_log_variance(encoder, value):
  kernel, bias = encoder.get_layer("log_variance").get_weights()
  encoder.get_layer("log_variance").set_weights([0 * kernel, 0 * bias + value])


def _candidate(seed, score, setting="BETA=1", **options):
  return Candidate(
    f"seed_{seed}", score, setting, functools.partial(_model, seed, **options)
  )


def _names(references):
  return [[each.name for each in kind] for kind in references]


def test_the_ends_of_the_ranking():
  scores = [0.5, 0.9, 0.1, 0.8, 0.2]
  candidates = [_candidate(seed, score) for seed, score in enumerate(scores)]
  assert _names(choose_references(candidates, tiny_data())) == [["seed_2"], ["seed_1"]]
  pairs = choose_references(candidates, tiny_data(), count=2)
  assert _names(pairs) == [["seed_2", "seed_4"], ["seed_1", "seed_3"]]
  assert pairs[0][0].means.shape == (len(tiny_data()), 3)


@pytest.mark.parametrize(("error", "chosen"), [(1.09, "seed_1"), (1.11, "seed_2")])
def test_an_entangled_one_may_reconstruct_a_tenth_worse(error, chosen):
  candidates = [
    _candidate(0, 0.9),
    _candidate(1, 0.1, error=error),
    _candidate(2, 0.3),
  ]
  assert _names(choose_references(candidates, tiny_data()))[0] == [chosen]


def test_a_lower_score_may_compare_where_the_best_does_not():
  candidates = [
    _candidate(0, 0.9),
    _candidate(1, 0.8, error=1.2),
    _candidate(2, 0.1, error=1.2),
  ]
  found = choose_references(candidates, tiny_data())
  assert _names(found) == [["seed_2"], ["seed_1"]]


@pytest.mark.parametrize(("variance", "chosen"), [(0.79, "seed_1"), (0.81, "seed_2")])
def test_pruned_models_are_skipped(variance, chosen, caplog):
  caplog.set_level("INFO", "disentangle_tf")
  pruned = _candidate(1, 0.1, log_variance=float(np.log(variance)))
  candidates = [_candidate(0, 0.9), pruned, _candidate(2, 0.3)]
  assert _names(choose_references(candidates, tiny_data()))[0] == [chosen]
  told = "skipped: seed_1 has 0 active latents" in caplog.text
  assert told == (chosen == "seed_2")


def test_models_of_another_setting_are_no_candidates():
  other = _candidate(1, 0.05, setting="BETA=0.1")
  candidates = [_candidate(0, 0.9), other, _candidate(2, 0.3)]
  assert _names(choose_references(candidates, tiny_data()))[0] == ["seed_2"]


def test_scores_that_hardly_differ(caplog):
  choose_references([_candidate(0, 0.9), _candidate(1, 0.71)], tiny_data())
  assert "differ by 0.190 only" in caplog.text
  caplog.clear()
  choose_references([_candidate(0, 0.9), _candidate(1, 0.69)], tiny_data())
  assert "warning" not in caplog.text


def test_nothing_to_choose_from():
  with pytest.raises(UserError, match="no trained model"):
    choose_references([], tiny_data())
  with pytest.raises(UserError, match="of 1 models 0 pairs compare, 1 are asked for"):
    choose_references([_candidate(0, 0.9)], tiny_data())
  candidates = [_candidate(0, 0.9), _candidate(1, 0.1, error=2.0)]
  with pytest.raises(UserError, match=r"the nearest is seed_1 \(0.100.*with seed_0"):
    choose_references(candidates, tiny_data())
