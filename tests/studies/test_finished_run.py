from disentangle_tf.studies.finished_run import run_label
from disentangle_tf.studies.plan import plan_study


def test_a_run_is_called_after_its_method_and_data_set():
  options = {"runs": {"beta-VAE": ["a.gin"]}, "metrics": "m.gin"}
  (alone,) = plan_study(**options)
  (on_cars,) = plan_study(**options, data={"Cars3D": ["c.gin"]})
  assert run_label(alone) == "beta-VAE"
  assert run_label(on_cars) == "beta-VAE, Cars3D"
