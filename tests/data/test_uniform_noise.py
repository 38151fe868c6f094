import numpy as np
import pytest
from shared_checks import run_dataset_test, tiny_data

from disentangle_tf.data import Spot, UniformNoise, data_from_config, data_to_config
from disentangle_tf.errors import UserError


def test_keeps_the_promises_of_a_data_set():
  run_dataset_test(UniformNoise(tiny_data(), 0.1))


def test_noise_is_uniform_and_drawn_anew():
  """Nothing folds in Spot: a mean of 0, a variance of epsilon^2 / 3."""
  data, factors = UniformNoise(Spot(), 0.1), np.tile([[3, 4]], (200, 1))
  noise = data.observe(factors).numpy() - Spot().observe(factors).numpy()
  assert np.abs(noise).max() <= 0.1 + 1e-6 and np.abs(noise).max() > 0.099
  assert noise.mean() == pytest.approx(0, abs=1e-3)
  assert noise.var() == pytest.approx(0.01 / 3, rel=0.02)
  assert np.abs(np.corrcoef(noise.reshape(200, -1)[:2])[0, 1]) < 0.3
  other = data.observe(factors, (5, 6)).numpy()
  assert (other != data.observe(factors).numpy()).any()


def test_what_leaves_the_range_is_folded_back():
  data = UniformNoise(tiny_data(), 0.3)  # black and white
  factors = data.factors.to_factors(np.arange(20))
  images, plain = data.observe(factors).numpy(), tiny_data().observe(factors).numpy()
  assert images.min() >= 0 and images.max() <= 1
  assert np.abs(images - plain).max() <= 0.3 + 1e-6


def test_is_told_in_a_manifest():
  data = UniformNoise(Spot(), 0.25)
  again = data_from_config(data_to_config(data))
  assert again.epsilon == 0.25 and isinstance(again.data, Spot)
  np.testing.assert_array_equal(again.observe([[1, 2]]), data.observe([[1, 2]]))


@pytest.mark.parametrize("epsilon", [0, -0.1, 1.5, "a"])
def test_the_size_of_the_noise(epsilon):
  with pytest.raises(UserError, match=r"UniformNoise\.epsilon is"):
    UniformNoise(Spot(), epsilon)


def test_of_a_set_by_its_name():
  data = UniformNoise.of_set("spot", 0.2)
  assert isinstance(data.data, Spot) and data.epsilon == 0.2
  with pytest.raises(UserError, match="table needs more arguments"):
    UniformNoise.of_set("table", 0.2)
  with pytest.raises(UserError, match="did you mean 'spot'"):
    UniformNoise.of_set("sport", 0.2)
