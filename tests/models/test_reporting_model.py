"""What Keras' own training reports of a model: means over the images of an epoch."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import assert_same_weights, compiled, tiny_data, tiny_model

from disentangle_tf import models, networks, supervision
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError

IMAGES = tiny_data().observe(tiny_data().factors.to_factors(np.arange(120))).numpy()


def _factor_vae():
  keras.utils.set_random_seed(1)
  discriminator = networks.mlp_discriminator(3, units=(8, 8))
  return tiny_model(models.FactorVAE, gamma=2.0, discriminator=discriminator)


def _compiled(make=tiny_model, **options):
  model = make()
  model.compile(keras.optimizers.Adam(0.01), **options)
  return model


def _parts(images, size):
  return [images[start : start + size] for start in range(0, len(images), size)]


def _mean(each, batches):
  """{term: NumPy's mean over the images of all batches}."""
  sizes = [len(batch) for batch in batches]
  return {
    name: np.average([float(terms[name]) for terms in each], weights=sizes)
    for name in each[0]
  }


def _expected(model, learned, held_out, *, epochs):
  """[{term: mean}] of every epoch, from one step after the other."""
  found = []
  for _ in range(epochs):
    train = _mean([model.train_step(batch) for batch in learned], learned)
    test = _mean([model.test_step(batch) for batch in held_out], held_out)
    found.append({**train, **{f"val_{name}": value for name, value in test.items()}})
  return found


def _check(history, expected):
  assert set(history) == set(expected[0])
  for name, values in history.items():
    wanted = [epoch[name] for epoch in expected]
    np.testing.assert_allclose(values, wanted, rtol=2e-4, atol=1e-6, err_msg=name)


@pytest.mark.parametrize(
  ("make", "options", "seed"),
  [
    pytest.param(tiny_model, {}, 0, id="compiled", marks=pytest.mark.slow),
    pytest.param(tiny_model, {"steps_per_execution": 2}, 1, id="two_steps_per_call"),
    pytest.param(tiny_model, {"jit_compile": False}, 2, id="plain"),
    pytest.param(_factor_vae, {"jit_compile": False}, 3, id="factor_vae"),
  ],
)
def test_fit_reports_the_means_of_an_epoch(make, options, seed):
  learned, held_out = _parts(IMAGES[:80], 32), _parts(IMAGES[80:], 25)
  model = _compiled(make, **options)
  model.seed = seed
  history = model.fit(
    IMAGES[:80],
    batch_size=32,
    epochs=2,
    shuffle=False,
    validation_data=IMAGES[80:],
    validation_batch_size=25,
    verbose=0,
  ).history
  other = compiled(make(), keras.optimizers.Adam(0.01))
  other.seed = seed
  expected = _expected(other, learned, held_out, epochs=2)
  last = {name: float(value) for name, value in other.test_step(held_out[-1]).items()}
  assert abs(last["loss"] / expected[-1]["val_loss"] - 1) > 1e-3
  _check(history, expected)
  assert_same_weights(model, other, atol=2e-4)


def test_early_stopping_sees_all_of_the_validation_set():
  model = _compiled(jit_compile=False)
  held_out = Batches(tiny_data(), batch_size=16, seed=3).dataset(0, 4)
  stopping = keras.callbacks.EarlyStopping("val_loss", min_delta=1e9)
  model.fit(IMAGES, epochs=9, validation_data=held_out, callbacks=[stopping], verbose=0)
  assert stopping.stopped_epoch == 1
  assert stopping.best == pytest.approx(model.history.history["val_loss"][0], rel=1e-6)
  each = [float(model.test_step(batch)["loss"]) for batch in held_out]
  assert np.ptp(each) > 1e-3
  (last, found) = model.history.history["val_loss"][-1], np.mean(each)
  assert last == pytest.approx(found, rel=1e-5)


def test_evaluate_reports_the_means_anew_each_time():
  model = _compiled(jit_compile=False)
  for images in (IMAGES[:80], IMAGES[80:]):
    batches = _parts(images, 32)
    expected = _mean([model.test_step(batch) for batch in batches], batches)
    found = model.evaluate(images, batch_size=32, verbose=0, return_dict=True)
    assert found == pytest.approx(expected, rel=1e-5)
    listed = model.evaluate(images, batch_size=32, verbose=0)
    np.testing.assert_allclose(listed, list(expected.values()), rtol=1e-5)


def test_replicas_report_the_mean_of_all_of_their_images(two_replicas):
  with two_replicas.scope():
    model = _compiled(jit_compile=False)
  found = model.evaluate(IMAGES[:48], batch_size=16, verbose=0, return_dict=True)
  posterior = model.encode(IMAGES[:48])
  kl = model.divergence(posterior, posterior.mean()).numpy().mean()
  assert found["kl"] == pytest.approx(model.beta * kl, rel=1e-5)
  history = model.fit(IMAGES[:48], batch_size=16, epochs=1, verbose=0).history
  assert set(history) == {"loss", "reconstruction", "kl"}
  parts = history["reconstruction"][0] + history["kl"][0]
  assert history["loss"][0] == pytest.approx(parts, rel=1e-5)


def test_a_labelled_batch_counts_its_unlabelled_images():
  labels = np.arange(80, dtype=np.int32).reshape(40, 2) % 4
  labelled = (IMAGES[:40], (IMAGES[40:80], labels))
  batches = tf.data.Dataset.from_tensor_slices(labelled).batch(25)
  loss = supervision.L2(1.0, (4, 4))
  model = _compiled(lambda: tiny_model(supervision=loss), jit_compile=False)
  each = [model.test_step(batch) for batch in batches]
  expected = _mean(each, [IMAGES[:25], IMAGES[:15]])
  assert abs(expected["supervised"] - float(each[-1]["supervised"])) > 1e-3
  found = model.evaluate(batches, verbose=0, return_dict=True)
  assert found == pytest.approx(expected, rel=1e-4)


def test_means_are_no_part_of_a_checkpoint(tmp_path):
  model = compiled(tiny_model())
  before = tf.train.Checkpoint(model=model).write(str(tmp_path / "before"))
  weights = len(model.variables)
  model.fit(IMAGES, epochs=1, validation_data=IMAGES, verbose=0)
  assert model.metrics
  assert len(model.variables) == weights
  after = tf.train.Checkpoint(model=model).write(str(tmp_path / "after"))
  first, second = map(tf.train.list_variables, (before, after))
  assert [name for name, _ in first] == [name for name, _ in second]
  tf.train.Checkpoint(model=model).read(before).assert_consumed()


def test_a_batch_on_its_own_is_a_step():
  model, other = _compiled(jit_compile=False), compiled(tiny_model())
  other.optimizer.learning_rate.assign(0.01)
  for _ in range(2):
    expected = {k: float(v) for k, v in other.train_step(IMAGES[:16]).items()}
    found = model.train_on_batch(IMAGES[:16], return_dict=True)
    assert found == pytest.approx(expected, rel=1e-4)
  assert_same_weights(model, other, atol=2e-4)
  tested = model.test_on_batch(IMAGES[:16], return_dict=True)
  assert tested == pytest.approx(
    {k: float(v) for k, v in other.test_step(IMAGES[:16]).items()}, rel=1e-3
  )
  listed = model.train_on_batch(IMAGES[:16])
  assert len(listed) == 3 and listed[0] == pytest.approx(sum(listed[1:]), rel=1e-5)


@pytest.mark.parametrize(
  ("method", "options", "message"),
  [
    ("compile", {"loss": "mse"}, "defines its loss and reports its terms: leave out"),
    ("compile", {"metrics": ["mae"]}, "BetaVAE.compile: .*: leave out metrics"),
    ("compile", {"weighted_metrics": ["mae"]}, "leave out weighted_metrics"),
    ("compile", {"loss_weights": [1.0]}, "leave out loss_weights"),
    ("train_on_batch", {"x": IMAGES, "y": IMAGES}, "the whole batch: leave out y"),
    ("train_on_batch", {"x": IMAGES, "class_weight": {0: 1}}, "leave out class_weight"),
    ("test_on_batch", {"x": IMAGES, "sample_weight": [1]}, "leave out sample_weight"),
  ],
)
def test_what_such_a_model_has_no_use_for(method, options, message):
  with pytest.raises(UserError, match=message):
    getattr(_compiled(), method)(**options)


@pytest.mark.parametrize("cls", [models.AE, models.VAE, models.PCL])
def test_the_shape_of_its_output_is_known(cls):
  only_encodes = cls is models.PCL
  model = cls(tiny_model().encoder, latents=3) if only_encodes else tiny_model(cls)
  for size in (None, 7):
    expected = (size, *model(IMAGES[:7]).shape[1:])
    assert model.compute_output_shape((size, 8, 8, 2)) == expected


def test_a_compiled_model_is_loaded_compiled(tmp_path):
  model = _compiled(jit_compile=False)
  model.fit(IMAGES[:32], epochs=1, verbose=0)
  model.save(tmp_path / "model.keras")
  loaded = keras.models.load_model(tmp_path / "model.keras")
  assert int(loaded.optimizer.iterations) == int(model.optimizer.iterations) == 1
  for each in (model, loaded):
    each.fit(IMAGES[:32], epochs=1, verbose=0)
  assert_same_weights(model, loaded, atol=1e-6)
