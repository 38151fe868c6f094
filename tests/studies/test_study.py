import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies import Study

RUNS = {"beta-VAE": ["gin/runs/demo_mse.gin"]}


def test_a_study_is_data_that_plans_itself():
  study = Study(runs=RUNS, sweep={"BETA": [1, 2]}, seeds=3, bindings=["STEPS=2"])
  plans = study.plans(lambda files: "\n".join(files))
  assert len(plans) == 6
  assert plans[1].bindings == ("STEPS=2", "BETA=2", "SEED=0")
  assert plans[0].metrics == "michlo_during_training"
  assert study == Study(
    runs=RUNS, sweep={"BETA": [1, 2]}, seeds=3, bindings=["STEPS=2"]
  )


def test_what_can_be_kept():
  with pytest.raises(UserError, match="Study.keep is 'weights': it must be 'all', "):
    Study(runs=RUNS, keep="weights")
