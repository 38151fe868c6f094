import functools

import numpy as np
import pytest
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import transfer_scatter


def test_promises():
  analysis = functools.partial(transfer_scatter, source="dsprites")
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_every_setting_is_a_point():
  values = np.tile(np.arange(50.0), (1, 3, 2, 6, 1)) + 100 * np.arange(6)[:, None]
  values[:, 2] += 7
  panels = transfer_scatter(table_of(values), source="set 1", scores=("mig",))
  assert list(panels) == [("set 0", "mig"), ("set 2", "mig")]
  x = 24.5 + 100 * np.arange(6)
  np.testing.assert_allclose(
    panels["set 2", "mig"]["method 1"], np.stack([x, x + 7], axis=1)
  )


def test_settings_of_both_sets_only():
  table = only(made_up_study(), data="dsprites", method="FactorVAE", strength=0)
  panels = transfer_scatter(table, source="dsprites", scores=("mig",))
  assert len(panels["color_dsprites", "mig"]["FactorVAE"]) == 5
  with pytest.raises(UserError, match="source is 'mnist': the table has dsprites"):
    transfer_scatter(table, source="mnist")
