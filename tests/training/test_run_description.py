import keras
import numpy as np
import pytest
from shared_checks import compiled, tiny_data, tiny_model

from disentangle_tf import losses, priors, schedules
from disentangle_tf.errors import UserError
from disentangle_tf.training import RunDescription
from disentangle_tf.training.run_description import read_hyper_parameters


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


BEFORE = "beta: 4\nlatents: 9\n"


def test_by_default_there_is_none_and_nothing_is_kept(tmp_path):
  description = RunDescription()
  assert description == RunDescription() and description.text() == ""
  description.write(tmp_path, "beta: 4")
  description.check_unchanged(tmp_path, "beta: 5")
  assert not list(tmp_path.iterdir())


def test_what_was_kept_is_compared_line_by_line(tmp_path):
  description = RunDescription(file_name="notes.txt")
  description.check_unchanged(tmp_path, BEFORE)  # nothing is there yet
  description.write(tmp_path, BEFORE)
  assert (tmp_path / "notes.txt").read_text() == BEFORE
  description.check_unchanged(tmp_path, "latents: 9\nbeta: 4")
  with pytest.raises(UserError, match=r"notes\.txt differs .* in 'beta: 4': resume"):
    description.check_unchanged(tmp_path, BEFORE.replace("4", "5"))


def test_a_function_of_ones_own_compares(tmp_path):
  seen = []

  def changed(before, now):
    seen.append((before, now))
    return "beta" if len(seen) > 1 else None

  description = RunDescription(file_name="notes.txt", changed_setting=changed)
  description.write(tmp_path, "old")
  description.check_unchanged(tmp_path, "new")
  with pytest.raises(UserError, match="in 'beta'"):
    description.check_unchanged(tmp_path, "newer")
  assert seen == [("old", "new"), ("old", "newer")]
