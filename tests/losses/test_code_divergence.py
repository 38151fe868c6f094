import keras
import pytest

from disentangle_tf import losses


@pytest.mark.parametrize(
  "loss", [losses.MMD(scales=(1.0, 3.0), per_latent=True), losses.InclusiveKL()]
)
def test_round_trip(loss):
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert type(again) is type(loss)
  assert again.get_config() == loss.get_config()
