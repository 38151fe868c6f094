import functools
import json

import keras
import numpy as np
import pytest

from disentangle_tf import networks
from disentangle_tf.adversary import (
  HandMadeManipulation,
  Manipulation,
  mlp_manipulation,
  write_control,
  write_manipulation,
)
from disentangle_tf.adversary.manipulation import scaled_factors
from disentangle_tf.data import Manipulated, Spot
from disentangle_tf.data.sets.wrappers import fold
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


def _write(folder, manipulation=mlp_manipulation, **options):
  return write_control(
    data=Spot(), manipulation=manipulation, epsilon=0.1, output_dir=folder, **options
  )


def _changes(folder):
  data, original = Manipulated.from_folder(folder), Spot()
  factors = data.factors.to_factors(np.arange(len(data)))
  return data.observe(factors).numpy() - original.observe(factors).numpy()


@pytest.mark.parametrize("mean_square", [0.3, 0.9])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_stored_of_random_weights_has_the_mean_square(
  tmp_path, mean_square, seed
):
  folder = _write(tmp_path, mean_square=mean_square, seed=seed)
  # Pixels of Spot are at least 0.1 from 0 and 1, so nothing folds.
  found = np.mean((_changes(folder) / 0.1) ** 2)
  assert found == pytest.approx(mean_square, rel=0.005)
  manifest = Manipulated.from_folder(folder).manifest
  assert manifest["mean_square"] == pytest.approx(found, rel=1e-3)
  assert manifest["control"] == "Manipulation"


def test_random_weights_as_they_are_are_faint(tmp_path):
  assert np.mean((_changes(_write(tmp_path)) / 0.1) ** 2) < 0.1


def test_by_hand(tmp_path):
  changes = _changes(_write(tmp_path, HandMadeManipulation))
  assert np.abs(changes).max() <= 0.1 + 1e-6
  # Half of (cos + sin)^2 / 2, or of (cos - sin)^2 / 2, over signs that are random.
  assert np.mean((changes / 0.1) ** 2) == pytest.approx(0.5, rel=0.1)


def test_the_seed_makes_another_one(tmp_path):
  folders = [_write(tmp_path / str(seed), seed=seed) for seed in (0, 1)]
  assert not np.array_equal(*map(_changes, folders))


def test_the_manifest_has_the_seed_that_made_it(tmp_path):
  def seed_of(name, *options, **more):
    folder = _write(tmp_path / name, *options, **more)
    return Manipulated.from_folder(folder).manifest["seed"]

  by_hand = functools.partial(HandMadeManipulation, seed=3)
  assert seed_of("hand", by_hand) == 3
  assert seed_of("hand_by_default", HandMadeManipulation) == 0
  assert seed_of("random") == 0 and seed_of("random_1", seed=1) == 1
  for seed in (0, 1):
    with pytest.raises(UserError, match="leave it out and set HandMade.*seed"):
      _write(tmp_path / "refused", HandMadeManipulation, seed=seed)
  assert not (tmp_path / "refused").exists()


def test_a_mean_square_that_no_byte_can_hold(tmp_path):
  # 255 * 0.05 is 12.75, of which 12 are stored: at the most (12 / 12.75)^2.
  with pytest.raises(UserError, match="with epsilon 0.05, .* the nearest is 0.886"):
    write_control(
      data=Spot(),
      manipulation=mlp_manipulation,
      epsilon=0.05,
      output_dir=tmp_path,
      mean_square=0.95,
    )
  assert not list(tmp_path.iterdir())


def test_mistakes(tmp_path):
  with pytest.raises(UserError, match="HandMadeManipulation cannot be amplified"):
    _write(tmp_path, HandMadeManipulation, mean_square=0.5)
  with pytest.raises(UserError, match="mean_square is 1: it must be between"):
    _write(tmp_path, mean_square=1)
  _write(tmp_path)
  with pytest.raises(UserError, match="set"):
    _write(tmp_path)
  hidden = functools.partial(mlp_manipulation, units_before=(4,))
  assert _write(tmp_path, hidden, overwrite=True).exists()
