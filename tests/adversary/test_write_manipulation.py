import json

import keras
import numpy as np
import pytest

from disentangle_tf import networks
from disentangle_tf.adversary import Manipulation, write_manipulation
from disentangle_tf.adversary.manipulation import scaled_factors
from disentangle_tf.data import Manipulated, Spot
from disentangle_tf.data.fold import fold
from disentangle_tf.errors import UserError

EPSILON = 0.1


@pytest.fixture(scope="module")
def manipulation():
  keras.utils.set_random_seed(0)
  picture = networks.mlp_decoder((16, 16, 1), latents=1, units=(16,))
  made = Manipulation(picture, num_factors=2)
  made.picture.set_weights([3 * weight for weight in made.picture.get_weights()])
  return made


def test_the_table_is_the_manipulation(manipulation, tmp_path):
  folder = write_manipulation(
    manipulation, Spot(), tmp_path / "hard", epsilon=EPSILON, seed=7
  )
  data = Manipulated.from_folder(folder)
  factors = data.factors.to_factors(np.arange(169))
  images = Spot().observe(factors)
  exact = fold(images + EPSILON * manipulation(scaled_factors(factors, (13, 13))))
  found = data.observe(factors).numpy()
  np.testing.assert_allclose(found, exact, atol=1.5 / 255)
  change = np.abs(found - images)
  assert change.max() <= EPSILON and change.max() > 0.5 * EPSILON
  manifest = json.loads((folder / "manifest.json").read_text())
  assert manifest["seed"] == 7 and manifest["epsilon"] == EPSILON
  assert data.manifest == manifest


def test_few_places_are_coarser(manipulation, tmp_path):
  coarse = write_manipulation(
    manipulation, Spot(), tmp_path / "coarse", epsilon=EPSILON, places=2
  )
  assert len(np.unique(np.load(coarse / "place.npy"))) == 2
  assert np.load(coarse / "curve.npy").shape == (2, 16, 16, 1)


def test_nothing_is_overwritten_unasked(manipulation, tmp_path):
  options = {"epsilon": EPSILON, "places": 2}
  write_manipulation(manipulation, Spot(), tmp_path / "a", **options)
  with pytest.raises(UserError, match="a"):
    write_manipulation(manipulation, Spot(), tmp_path / "a", **options)
  write_manipulation(manipulation, Spot(), tmp_path / "a", overwrite=True, **options)
  with pytest.raises(UserError, match="places is 70000: it must be at most 65,536"):
    write_manipulation(
      manipulation, Spot(), tmp_path / "b", epsilon=EPSILON, places=70_000
    )
