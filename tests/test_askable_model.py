"""A live model, its export, and the export opened as a foreign model agree."""

import contextlib

import numpy as np
import pytest
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import export, models
from disentangle_tf.askable_model import AskableModel
from disentangle_tf.export.pixel_means import pixel_means
from disentangle_tf.foreign.foreign_model import ForeignModel
from disentangle_tf.latent_use import is_deterministic
from disentangle_tf.models.live_model import LiveModel

IMAGES = tiny_data().observe([[0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 2, 2]]).numpy()
CODES = np.random.default_rng(0).normal(size=(4, 3))
MAKE = {
  "BetaVAE": tiny_model,
  "AE": lambda: tiny_model(models.AE),
  "PCL": lambda: models.PCL(tiny_networks()[0], latents=3),
}


@pytest.fixture(scope="module", params=MAKE)
def model(request):
  """A variational model, a deterministic one, and one without a decoder."""
  return MAKE[request.param]()


@pytest.fixture(scope="module")
def asked(model, tmp_path_factory):
  """Return {kind: `AskableModel`}, all with the same weights."""
  folder = tmp_path_factory.mktemp("asked") / "export"
  export.write_export(model, folder, data=tiny_data())
  with contextlib.ExitStack() as stack:
    foreign = stack.enter_context(ForeignModel(folder))
    # The child takes seconds to start, so it is started once.
    exported, shape = export.ExportedModel(folder), IMAGES.shape[1:]
    foreign.open(
      shape,
      pixel_means=pixel_means(exported.manifest, shape),
      trusted=not isinstance(model, models.BetaVAE),
    )
    yield {
      "live": LiveModel(model),
      "export": exported,
      "foreign": foreign,
    }


def test_what_they_say_of_themselves(model, asked):
  decodes = model.decoder is not None
  for each in asked.values():
    assert isinstance(each, AskableModel)
    assert tuple(each.observation_shape) == (8, 8, 2)
    assert each.num_latents == 3
    assert each.can_decode is decodes and each.can_reconstruct is decodes
    assert each.can_decode_unclipped is decodes
    assert each.has_log_variances is (each.encode(IMAGES)[1] is not None)


def test_the_same_codes(model, asked):
  posterior = model.encode(IMAGES)
  for each in asked.values():
    means, log_variances = each.encode(IMAGES)
    np.testing.assert_allclose(means, posterior.mean(), atol=1e-6)
    if isinstance(model, models.VAE):
      expected = np.log(posterior.variance())
      np.testing.assert_allclose(log_variances, expected, rtol=1e-5, atol=1e-5)
    else:
      assert log_variances is None or is_deterministic(log_variances)


def test_the_same_images(model, asked):
  if model.decoder is None:
    return  # as they declare
  decoded, again = model.decode_images(CODES), model.reconstruct(IMAGES)
  for each in asked.values():
    np.testing.assert_allclose(each.decode(CODES), decoded, atol=1e-6)
    np.testing.assert_allclose(each.reconstruct(IMAGES), again, atol=1e-6)


def test_the_same_means_of_pixels(model, asked):
  if model.decoder is None:
    return
  means = model.decode_unclipped(9 * CODES)
  assert means.numpy().min() < 0
  for each in asked.values():
    np.testing.assert_allclose(each.decode_unclipped(9 * CODES), means, atol=1e-5)


def test_arrays_come_back(model, asked):
  for each in asked.values():
    answers = [each.encode(IMAGES)[0]]
    if model.decoder is not None:
      answers += [each.decode(CODES), each.decode_unclipped(CODES)]
      answers.append(each.reconstruct(IMAGES))
    for answer in answers:
      assert isinstance(answer, np.ndarray) and answer.dtype == np.float32


def test_a_model_that_cannot_be_asked():
  assert not isinstance(tiny_model(), AskableModel)
