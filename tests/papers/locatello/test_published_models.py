import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello.published_models import (
  NUM_MODELS,
  SWEEPS,
  dlib_index,
  dlib_model,
)


@pytest.mark.parametrize(
  ("index", "model"),
  [
    (0, ("dsprites", "beta-VAE", 0, 0)),
    (1_750, ("dsprites", "AnnealedVAE", 5, 0)),
    (10_800, ("shapes3d", "beta-VAE", 0, 0)),
    (12_599, ("shapes3d", "AnnealedVAE", 5, 49)),
    (1800 * 2 + 300 * 4 + 50 * 3 + 7, ("noisy_dsprites", "beta-TCVAE", 3, 7)),
  ],
)
def test_known_models(index, model):
  assert dlib_index(*model) == index
  assert dlib_model(index) == model


def test_every_number_is_one_model():
  assert NUM_MODELS == 12_600
  models = [dlib_model(index) for index in range(NUM_MODELS)]
  assert len(set(models)) == NUM_MODELS
  assert [dlib_index(*model) for model in models] == list(range(NUM_MODELS))


def test_sweeps_of_the_paper():
  values = {label: values for label, _, values in SWEEPS.values()}
  assert values["beta-VAE"][0] == 1 and values["AnnealedVAE"][5] == 100
  for sweep in values.values():
    assert len(sweep) == 6 and list(sweep) == sorted(sweep)


def test_what_there_is_not_is_refused():
  with pytest.raises(UserError, match="data is 'mnist': it must be one of dsprites"):
    dlib_index("mnist", "beta-VAE", 0, 0)
  with pytest.raises(UserError, match="seed is 50"):
    dlib_index("dsprites", "beta-VAE", 0, 50)
  with pytest.raises(UserError, match="index is 12600"):
    dlib_model(12_600)
