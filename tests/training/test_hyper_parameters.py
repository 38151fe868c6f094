import keras
import numpy as np
from shared_checks import compiled, tiny_data, tiny_model

from disentangle_tf import losses, priors, schedules
from disentangle_tf.training.hyper_parameters import read_hyper_parameters


def _read(model=None, data=None, **options):
  model = compiled(model or tiny_model(), keras.optimizers.Adam(1e-3))
  return read_hyper_parameters(
    model, data or tiny_data(), **{"batch_size": 16, "seed": 3, **options}
  )


def test_what_a_run_was_made_with():
  found = _read()
  expected = {
    "model": "BetaVAE",
    "latents": 3,
    "batch_size": 16,
    "seed": 3,
    "learning_rate": 0.001,  # not 0.0010000000474974513
    "data": "xysquares",
    "grid_spacing": 2,
    "num_squares": 2,
    "image_size": 8,
    "square_size": 2,
    "beta": 0.5,
    "reduction": "mean",
    "reconstruction": "MSE",
  }
  assert {name: found.get(name) for name in expected} == expected
  assert {type(value) for value in found.values()} <= {bool, int, float, str}


def test_networks_are_told_by_their_weights():
  model = tiny_model()
  weights = f"{model.encoder.count_params()} weights"
  assert _read(model)["encoder"].endswith(weights)


def test_parts_are_told_with_their_own_arguments():
  found = _read(
    tiny_model(
      reconstruction=losses.Overlap(losses.MSE(), losses.box_kernel(1), alpha=2.0),
      prior=priors.StudentT(7),
      beta=schedules.Linear(0.0, 1.0, steps=50),
    )
  )
  assert found["reconstruction"] == "Overlap" and found["reconstruction.alpha"] == 2.0
  assert found["reconstruction.loss"] == "MSE"
  assert found["reconstruction.kernel"] == f"array {np.shape(losses.box_kernel(1))}"
  assert found["prior"] == "StudentT" and found["prior.degrees_of_freedom"] == 7
  assert found["beta"] == "Linear" and found["beta.steps"] == 50
