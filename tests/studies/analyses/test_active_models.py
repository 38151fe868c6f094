import numpy as np
from study_tables import only, table_of

from disentangle_tf.studies.analyses import active_models


def test_models_with_fewer_active_latents_than_factors_are_discarded():
  active = np.array([3.0, 4.0, 5.0, 6.0]).reshape(1, 1, 1, 1, 4)
  values = np.concatenate([active, active / 10])
  table = table_of(values, scores=("active_units", "mig"))
  kept, discarded = active_models(table, {"set 0": 5}, score="active_units")
  assert kept.select(score="mig").column("value").tolist() == [0.5, 0.6]
  assert discarded == 2
  without = only(table, score="active_units", seed=3)
  kept, discarded = active_models(without, {"set 0": 5}, score="active_units")
  assert discarded == 3 and kept.num_models == 1
