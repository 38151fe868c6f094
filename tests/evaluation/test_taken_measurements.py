from disentangle_tf import metrics
from disentangle_tf.evaluation.taken_measurements import reads, taken_measurements
from disentangle_tf.scoring import Measurement

MIG = Measurement(metrics.mig)
WHOLE = Measurement(metrics.mig, num_points="all", prefix="whole_set_")
LOGISTIC = Measurement(metrics.downstream_task)


def test_settings_of_all_replace_those_of_each():
  (mig,), _ = taken_measurements([MIG], num_points=50, sampled=True)
  assert (mig.num_points, mig.num_test_points, mig.sampled) == (50, 5_000, True)
  (same,), repeated = taken_measurements([MIG])
  assert same.settings() == MIG.settings() and repeated == {}


def test_what_becomes_the_same_is_taken_once():
  kept, repeated = taken_measurements([MIG, WHOLE])
  assert [each.name for each in kept] == ["mig", "whole_set_mig"] and repeated == {}
  kept, repeated = taken_measurements([MIG, WHOLE], num_points=50)
  assert [each.name for each in kept] == ["mig"]
  assert repeated == {"whole_set_mig": "with these settings it is the same as mig"}
  kept, repeated = taken_measurements([LOGISTIC, LOGISTIC])
  assert len(kept) == 1 and list(repeated) == ["downstream_task (again)"]


def test_which_settings_change_anything():
  units, theory = Measurement(metrics.active_units), Measurement(metrics.polarised_kl)
  assert reads([units], "num_points") and not reads([units], "num_test_points")
  assert reads([units, LOGISTIC], "num_test_points")
  assert reads([units], "sampled") and not reads([theory], "sampled")
  irs = Measurement(metrics.factor_vae_score)
  assert reads([irs], "sampled") and not reads([irs], "num_points")
