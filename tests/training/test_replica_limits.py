import keras
import pytest
from shared_checks import tiny_model, tiny_networks

from disentangle_tf import losses, models, supervision
from disentangle_tf.training.replica_limits import (
  report_partial_statistics,
  what_xla_cannot_compile,
)


def _normalised(**options):
  images = keras.Input((8, 8, 2))
  features = keras.layers.Dense(6)(keras.layers.Flatten()(images))
  codes = keras.layers.BatchNormalization(name="norm", **options)(features)
  inner = keras.Model(images, codes)
  outer = keras.Model(images, inner(images))
  return models.VAE(outer, tiny_networks()[1], losses.MSE())


@pytest.mark.parametrize(
  ("make", "told"),
  [
    (lambda: tiny_model(models.VAE), None),
    (lambda: _normalised(), None),
    (lambda: tiny_model(models.AnnealedVAE, c_max=1.0, per_image=True), None),
    (lambda: tiny_model(models.AnnealedVAE, c_max=1.0), "AnnealedVAE"),
    (lambda: tiny_model(models.BetaTCVAE, beta=2.0), "BetaTCVAE"),
    (
      lambda: tiny_model(supervision=supervision.Covariance(1.0, (4, 4))),
      "Covariance",
    ),
    (lambda: tiny_model(supervision=supervision.L2(1.0, (4, 4))), None),
    (lambda: _normalised(synchronized=True), "the synchronised layer norm"),
  ],
)
def test_what_exchanges_values_is_not_compiled(make, told):
  found = what_xla_cannot_compile(make())
  assert found is None if told is None else found.startswith(told)


def test_layers_with_statistics_of_a_part_are_named(caplog):
  report_partial_statistics(tiny_model())
  report_partial_statistics(_normalised(synchronized=True))
  assert caplog.messages == []
  report_partial_statistics(_normalised())
  (line,) = caplog.messages
  assert line.startswith("Computing.strategy: the layer norm normalises")
  assert "synchronized=True" in line
