import numpy as np
import pytest
from shared_checks import tiny_data, tiny_model

from disentangle_tf import export, losses, models
from disentangle_tf.export.pixel_means import pixel_means
from disentangle_tf.models.live_model import LiveModel

CODES = 40 * np.random.default_rng(0).normal(size=(6, 3))
SHAPE = (8, 8, 2)


def _manifest(loss, standardisation=None):
  arguments = {"reconstruction": loss, "standardisation": standardisation}
  return {"contract_version": 2, "model": {"class": "AE", "arguments": arguments}}


def _told(name, **arguments):
  return {"class": name, "arguments": arguments}


@pytest.mark.parametrize(
  "loss",
  [losses.MSE, losses.Bernoulli, losses.ContinuousBernoulli, losses.SigmoidMSE],
)
def test_an_export_gives_the_means_of_the_live_model(loss, tmp_path):
  model = tiny_model(models.BetaVAE, loss())
  export.write_export(model, tmp_path / "export", data=tiny_data())
  exported = export.ExportedModel(tmp_path / "export")
  assert exported.can_decode_unclipped
  found, expected = (
    each.decode_unclipped(CODES) for each in (exported, LiveModel(model))
  )
  np.testing.assert_allclose(found, expected, atol=1e-5)
  np.testing.assert_allclose(np.clip(found, 0, 1), exported.decode(CODES), atol=1e-5)
  if loss is losses.MSE:
    assert found.min() < -0.1 and found.max() > 1.1
  else:
    assert found.min() >= 0 and found.max() <= 1


def test_parameters_are_scaled_back():
  told = _manifest(_told("MSE"), [[0.1, 0.2], [0.5, 2.0]])
  parameters = np.random.default_rng(0).normal(size=(3, *SHAPE)).astype(np.float32)
  found = pixel_means(told, SHAPE)(parameters)
  np.testing.assert_allclose(found, parameters * [0.5, 2.0] + [0.1, 0.2], rtol=1e-5)


def test_a_likelihood_of_logits_gives_probabilities():
  told = _manifest(_told("Bernoulli"), [[0.1, 0.2], [0.5, 2.0]])
  parameters = np.float32(np.linspace(-9, 9, 128).reshape(1, *SHAPE))
  found = pixel_means(told, SHAPE)(parameters)
  np.testing.assert_allclose(found, 1 / (1 + np.exp(-parameters)), rtol=1e-5)


@pytest.mark.parametrize(
  "manifest",
  [
    {},
    _manifest(None),
    _manifest({"class": "mine.Own", "arguments": None}),
    _manifest(_told("MSE"), [[0.1, 0.2, 0.3, 0.4, 0.5], [1, 1, 1, 1, 1]]),
    _manifest(_told("MSE"), "nonsense"),
    _manifest(_told("MSE"), [[0.1], [None]]),
    _manifest(_told("MSE"), 5),
    {"contract_version": 1},
  ],
)
def test_what_is_not_told_or_does_not_fit_gives_none(manifest):
  assert pixel_means(manifest, SHAPE) is None
