import numpy as np
import pytest
from study_tables import row_of, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import (
  mean_intervals,
  score_against_strength,
  score_against_weight,
  trade_off,
)
from disentangle_tf.studies.analyses.check_strengths import check_strengths
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import results_table


def _table(*places):
  """One model for each (strength, BETA)."""
  return results_table(
    row_of("d", "m", strength, seed, score, beta / 10, setting=f"BETA={beta}")
    for seed, (strength, beta) in enumerate(places)
    for score in ("mig", "sap")
  )


def test_one_setting_for_each_strength():
  check_strengths(pivot(table_of(np.ones((1, 2, 3, 4, 5)))))
  check_strengths(pivot(_table((0, 1), (0, 1), (1, 2))))


@pytest.mark.parametrize("places", [[(0, 1), (0, 2)], [(0, 2), (1, 2)]])
@pytest.mark.parametrize(
  "analysis",
  [
    lambda table: score_against_strength(table, scores=("mig",)),
    lambda table: mean_intervals(table, scores=("mig",)),
    lambda table: score_against_weight(table, scores=("mig",)),
    lambda table: trade_off(table, x="mig", y="sap"),
  ],
)
def test_strengths_of_several_plans_are_refused(places, analysis):
  with pytest.raises(UserError, match="strengths of m do not compare"):
    analysis(_table(*places))


def test_named_settings_need_no_strengths():
  curves = mean_intervals(_table((0, 1), (0, 2)), scores=("mig",), over="BETA")
  assert curves["d", "mig"]["m"].x.tolist() == [1.0, 2.0]
