import numpy as np
from study_tables import only, table_of

from disentangle_tf.studies.analyses import models_at_least
from disentangle_tf.studies.results_table import select


def test_models_with_fewer_active_latents_than_factors_are_left_out():
  active = np.array([3.0, 4.0, 5.0, 6.0]).reshape(1, 1, 1, 1, 4)
  values = np.concatenate([active, active / 10])
  table = table_of(values, scores=("active", "mig"))
  kept, others = models_at_least(table, score="active", least=5)
  assert select(kept, score="mig")["value"].tolist() == [0.5, 0.6]
  assert select(others, score="mig")["value"].tolist() == [0.3, 0.4]
  without = only(table, score="active", seed=3)
  kept, others = models_at_least(without, score="active", least=5)
  assert others["run"].nunique() == 3 and kept["run"].nunique() == 1
