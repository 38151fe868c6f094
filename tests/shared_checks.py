"""Small worlds and models, and the checks that every class of a kind must pass."""

import contextlib

import keras
import numpy as np
import pytest
import tensorflow as tf
from tensorboard.plugins.hparams import metadata as hparams_metadata

from disentangle_tf import export, losses, models, networks
from disentangle_tf.data import Batches, XYSquares, data_from_config, data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.half_precision import check_precision
from disentangle_tf.random_streams import stream_seed
from disentangle_tf.training import devices


def tiny_data(**options):
  """256 images of 8x8x2, adversarial."""
  settings = {"grid_spacing": 2, "num_squares": 2, "image_size": 8, "square_size": 2}
  return XYSquares(**{**settings, **options})


def tiny_networks(latents=3, units=(16,)):
  shape = tiny_data().observation_shape
  return (
    networks.mlp_encoder(shape, latents=latents, units=units),
    networks.mlp_decoder(shape, latents=latents, units=units),
  )


def tiny_model(cls=models.BetaVAE, reconstruction=None, **options):
  """A model of any class for `tiny_data`, the same weights each time."""
  keras.utils.set_random_seed(0)
  if cls is models.BetaVAE:
    options = {"beta": 0.5, **options}
  return cls(
    *tiny_networks(),
    reconstruction or losses.MSE(),
    standardisation=tiny_data().standardisation(),
    **options,
  )


def compiled(model, optimizer=None):
  model.compile(optimizer or keras.optimizers.Adam(1e-3))
  model.optimizer.build(model.trainable_variables)
  return model


def skip_if_deadly(precision):
  """Skips a test whose steps would kill this process, which `train` would refuse."""
  try:
    check_precision(precision)
  except UserError as error:
    pytest.skip(str(error))


@contextlib.contextmanager
def half_precision(precision):
  """Keras' dtype policy, for a test that this CPU can take."""
  skip_if_deadly(precision)
  with devices.number_format(precision, deterministic=False):
    yield


def weights(model):
  return [np.asarray(value) for value in model.get_weights()]


def compiled_step(model, batch):
  """`model.train_step` by XLA for batches like this one, of whatever size.

  A host's pipeline does not know the size of its batches when the step is compiled.
  """
  signature = tf.nest.map_structure(
    lambda part: tf.TensorSpec([None, *part.shape[1:]], part.dtype), batch
  )
  return tf.function(
    model.train_step, jit_compile=True, input_signature=[signature], autograph=False
  )


def check_compiled_step(make, batch):
  """The terms and weights of a compiled step are those of one that is not.

  Args:
    make: gives a new model with the same weights each time.
    batch: what it learns from.
  """
  plain, by_xla = compiled(make()), compiled(make())
  expected = plain.train_step(batch)
  logs = compiled_step(by_xla, batch)(batch)
  assert logs.keys() == expected.keys()
  for name, value in expected.items():
    np.testing.assert_allclose(logs[name], value, rtol=1e-4, atol=1e-6, err_msg=name)
  assert_same_weights(plain, by_xla, atol=2e-5)


def assert_same_weights(first, second, **tolerance):
  for a, b in zip(weights(first), weights(second), strict=True):
    np.testing.assert_allclose(a, b, **{"rtol": 0, "atol": 0, **tolerance})


def checkpointed(folder):
  """All that the newest checkpoint of a run holds, by name."""
  reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder / "checkpoints"))
  return {
    name: reader.get_tensor(name)
    for name in reader.get_variable_to_shape_map()
    if "OBJECT_GRAPH" not in name and "save_counter" not in name
  }


def assert_same_run(folder, other, **tolerance):
  """Both runs ended with the same weights, optimiser and step."""
  ours, theirs = checkpointed(folder), checkpointed(other)
  assert ours.keys() == theirs.keys()
  assert any("optimizer" in name for name in ours)
  for name in ours:
    np.testing.assert_allclose(
      ours[name], theirs[name], **{"rtol": 0, "atol": 0, **tolerance}
    )


def hyper_parameters(events):
  """{name: value} that TensorBoard's HPARAMS page reads from an event accumulator."""
  content = events.PluginTagToContent("hparams")[
    hparams_metadata.SESSION_START_INFO_TAG
  ]
  start = hparams_metadata.parse_session_start_info_plugin_data(content)
  return {
    name: getattr(value, value.WhichOneof("kind"))
    for name, value in start.hparams.items()
  }


def run_dataset_test(data, *, num_points=64):
  """What every GroundTruthData promises."""
  rng = np.random.default_rng(0)
  index = rng.integers(len(data), size=num_points)
  factors = data.factors.to_factors(index)
  np.testing.assert_array_equal(data.factors.to_index(factors), index)
  images = data.observe(factors)
  assert images.dtype == tf.float32
  assert images.shape == (num_points, *data.observation_shape)
  assert images.numpy().min() >= 0 and images.numpy().max() <= 1
  if data.one_image_per_point:
    np.testing.assert_array_equal(images, data.observe(factors, stream_seed(1, "test")))
    assert not data.is_endless
  # Neighbouring shades are 1 / 255 apart, far more than what a graph rounds otherwise.
  in_a_graph = tf.function(data.observe)(tf.constant(factors))
  np.testing.assert_allclose(images, in_a_graph, atol=1e-6)
  again = data_from_config(data_to_config(data))
  np.testing.assert_allclose(images, again.observe(factors), atol=1e-6)
  first_factors, first_images = next(data.in_order(4))
  np.testing.assert_array_equal(first_factors, data.factors.to_factors(np.arange(4)))
  np.testing.assert_allclose(first_images, data.observe(first_factors), atol=1e-6)


def run_model_test(make, data, tmp_path, two_replicas, *, unused=(), **batch_options):
  """What every model promises.

  Args:
    make: gives a new model with the same weights each time.
    unused: names of weights that the model's loss does not depend on.
    batch_options: what it learns from, see `Batches`.
  """
  batches = Batches(data, batch_size=16, **batch_options)
  batch = batches.make(0)
  model = compiled(make())
  model.check_batch(batch)
  _check_terms(model, batch)
  _check_gradients(model, batch, unused)
  _check_round_trips(model, batch, tmp_path)
  _check_training_steps(make, batch, two_replicas)
  before = float(compiled(make()).train_step(batch)["loss"])
  steps = Batches(data, batch_size=64, **batch_options).dataset(0, 200)
  after = model.fit(steps, verbose=0, shuffle=False).history["loss"][0]
  assert after < before
  run_export_test(model, data, tmp_path / "export")
  _check_mixed_precision(make, batch)  # the last, since it may be skipped


def _terms(model, batch):
  return list(model.loss_terms(batch, stream_seed(0, "test")).values())


def _check_terms(model, batch):
  terms = model.loss_terms(batch, stream_seed(0, "test"))
  logged = model.test_step(batch)
  assert set(logged) == {"loss", *terms}
  np.testing.assert_allclose(
    logged["loss"], sum(float(logged[name]) for name in terms), rtol=1e-5, atol=1e-6
  )
  np.testing.assert_array_equal(list(terms.values()), _terms(model, batch))


def _check_gradients(model, batch, unused):
  """Every weight that is learned matters."""
  with tf.GradientTape() as tape:
    loss = tf.add_n(_terms(model, batch))
  gradients = tape.gradient(loss, model.trainable_variables)
  for variable, gradient in zip(model.trainable_variables, gradients, strict=True):
    if any(name in variable.path for name in unused):
      assert not np.any(gradient)
    else:
      assert np.abs(gradient).max() > 0, variable.path


def _check_round_trips(model, batch, tmp_path):
  again = type(model).from_config(model.get_config())
  again.set_weights(model.get_weights())
  np.testing.assert_allclose(_terms(model, batch), _terms(again, batch), rtol=1e-6)
  model.save(tmp_path / "model.keras")
  loaded = keras.models.load_model(tmp_path / "model.keras")
  np.testing.assert_allclose(_terms(model, batch), _terms(loaded, batch), rtol=1e-6)
  before = weights(model)
  path = tf.train.Checkpoint(model=model).write(str(tmp_path / "checkpoint"))
  model.set_weights([value + 1 for value in before])
  tf.train.Checkpoint(model=model).read(path).assert_consumed()
  for given, restored in zip(before, weights(model), strict=True):
    np.testing.assert_array_equal(given, restored)


def _check_training_steps(make, batch, two_replicas):
  """XLA changes nothing, and two replicas learn as one."""
  check_compiled_step(make, batch)
  with two_replicas.scope():
    model = compiled(make())
  step = tf.function(
    lambda: two_replicas.run(model.train_step, args=(batch,)), autograph=False
  )
  logs = step()
  shares = two_replicas.experimental_local_results(logs["loss"])
  assert np.isfinite(shares).all()
  for variable in model.trainable_variables:
    first, second = two_replicas.experimental_local_results(variable.value)
    np.testing.assert_array_equal(first, second)


def _check_mixed_precision(make, batch):
  with half_precision("mixed_bfloat16"):
    model = compiled(make())
    first = float(model.test_step(batch)["loss"])
    step = tf.function(model.train_step, autograph=False)
    for _ in range(30):
      step(batch)
    assert float(model.test_step(batch)["loss"]) < first


def run_export_test(model, data, folder):
  """An export gives what the model gives."""
  export.write_export(model, folder, data=data)
  exported = export.ExportedModel(folder)
  images = Batches(data, batch_size=5).make(0)
  posterior = model.encode(images)
  mean, log_variance = exported.encode(images)
  np.testing.assert_allclose(mean, posterior.mean(), atol=1e-6)
  least = np.finfo(np.float32).tiny
  np.testing.assert_allclose(
    log_variance,
    np.log(np.maximum(posterior.variance(), least)),
    rtol=1e-5,
    atol=1e-5,
  )
  if model.decoder is None:
    with pytest.raises(UserError, match="no decode: it has"):
      exported.decode(mean)
    return
  np.testing.assert_allclose(
    exported.decode(mean), model.decode_images(mean), atol=1e-6
  )
  np.testing.assert_allclose(
    exported.reconstruct(images), model.reconstruct(images), atol=1e-6
  )
