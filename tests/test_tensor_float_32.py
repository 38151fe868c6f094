import keras
import numpy as np
import pytest
import tensorflow as tf
from command_calls import binding_flags, call
from shared_checks import tiny_data, tiny_networks

from disentangle_tf import losses, models, perceived, training
from disentangle_tf.commands import train
from disentangle_tf.evaluation import evaluate
from disentangle_tf.export import ExportedModel
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.scoring import Measurement
from disentangle_tf.tensor_float_32 import tensor_float_32

enabled = tf.config.experimental.tensor_float_32_execution_enabled


@pytest.fixture(autouse=True, params=[True, False])
def before(request):
  """The state that the user chose, which no function changes."""
  with tensor_float_32(request.param):
    yield request.param
    assert enabled() == request.param


def test_it_ends_with_the_block():
  with tensor_float_32(True):
    with pytest.raises(RuntimeError), tensor_float_32(False):
      assert not enabled()
      raise RuntimeError
    assert enabled()


def test_a_function_may_be_decorated():
  decorated = tensor_float_32(False)(enabled)
  with tensor_float_32(True):
    assert not decorated() and enabled()
    assert not decorated()  # at every call


class Seen(list):
  """Record the switch at each call."""

  def note(self):
    self.append(enabled())


SEEN = Seen()


class WatchedLoss(losses.MSE):
  """Records the switch each time it computes."""

  def squared_maps(self):
    return ()

  def distance(self, target, output):
    tf.py_function(SEEN.note, [], [])
    return super().distance(target, output)


class WatchedModel(models.AE):
  """Records the switch in each training step."""

  def unsupervised_terms(self, batch, seed, training):
    if training:
      tf.py_function(IN_STEPS.note, [], [])
    return super().unsupervised_terms(batch, seed, training)


IN_STEPS = Seen()


@higher_is_better("noted")
def noted(codes, factors):
  SEEN.note()
  return {"noted": 1.0}


@pytest.fixture(autouse=True)
def nothing_seen():
  SEEN.clear()
  IN_STEPS.clear()


def test_off_in_perceive():
  for loss in (WatchedLoss(), losses.MSE()):
    perceived.perceive(
      data=tiny_data(), loss=loss, num_pairs=4, num_curve_pairs=4, num_traversals=2
    )
  assert SEEN and not any(SEEN)


class WatchedEncoder:
  """An `AskableModel` that records the switch."""

  can_reconstruct = can_decode = False

  def encode(self, images):
    SEEN.note()
    return np.zeros((len(images), 2), np.float32), None


def test_off_where_a_model_perceives():
  perceived.level_distances(
    tiny_data(), losses.MSE(), WatchedEncoder(), num_traversals=1
  )
  assert SEEN and not any(SEEN)


def test_off_in_evaluate(exported, tmp_path):
  evaluate(
    model=exported[0],
    measurements=[Measurement(noted, num_points=10)],
    output_dir=tmp_path / "scores",
    trusted=True,
  )
  assert SEEN == [False]


def test_off_where_an_export_is_asked(exported):
  model = ExportedModel(exported[0])
  encode = model._signatures["encode"]

  def watched(images):
    SEEN.note()
    return encode(images=images)

  model._signatures = {"encode": watched}
  model.encode(np.zeros((1, *tiny_data().observation_shape), np.float32))
  assert SEEN == [False]


@pytest.mark.parametrize("asked", [True, False])
def test_as_asked_in_training_and_off_in_its_scores(asked, before, tmp_path):
  def make():
    return WatchedModel(*tiny_networks(), losses.MSE())

  training.train(
    model=make,
    data=tiny_data(),
    optimizer=keras.optimizers.Adam,
    steps=3,
    batch_size=4,
    output_dir=tmp_path / "run",
    computing=training.Computing(jit_compile=False, tensor_float_32=asked),
    scoring=training.Scoring([Measurement(noted, num_points=4)], every=1),
  )
  assert [asked] * 3 == IN_STEPS
  assert SEEN == [False] * 3


def test_the_run_records_it(tmp_path):
  words = ["--gin_file", "gin/runs/demo_mse.gin", "--output_dir", tmp_path / "run"]
  bindings = ["STEPS=1", "UNITS=(4,)", "training.Computing.jit_compile=False"]
  for value in (True, False):
    setting = f"training.Computing.tensor_float_32={value}"
    flags = binding_flags(*bindings, *([] if value else [setting]))
    assert call(train.main, *words, *flags, "--overwrite") == 0
    text = (tmp_path / "run" / "config.gin").read_text()
    assert f"training.Computing.tensor_float_32 = {value}\n" in text
