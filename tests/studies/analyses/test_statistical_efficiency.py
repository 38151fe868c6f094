import functools

import numpy as np
import pytest
from study_tables import made_up_study, run_analysis_test, table_of

from disentangle_tf.studies.analyses import statistical_efficiency

_SCORES = ("mig", "accuracy_100", "accuracy_10000")


@pytest.mark.parametrize("boosting", [True, False])
def test_promises(boosting):
  analysis = functools.partial(statistical_efficiency, boosting=boosting)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


@pytest.mark.parametrize("end", ["", "_gradient_boosting"])
def test_accuracy_of_a_hundred_over_that_of_ten_thousand(end):
  values = np.array([0.3, 0.2, 0.8]).reshape(3, 1, 1, 1, 1)
  scores = ["mig", *(score + end for score in _SCORES[1:])]
  panels = statistical_efficiency(
    table_of(values, scores=scores), scores=("mig",), boosting=bool(end)
  )
  np.testing.assert_allclose(panels["set 0", "mig"]["method 0"], [[0.3, 0.25]])


def test_other_numbers_of_labels():
  values = np.array([0.3, 0.2, 0.8]).reshape(3, 1, 1, 1, 1)
  table = table_of(values, scores=("mig", "accuracy_5", "accuracy_50"))
  panels = statistical_efficiency(table, scores=("mig",), labels=(5, 50))
  np.testing.assert_allclose(panels["set 0", "mig"]["method 0"], [[0.3, 0.25]])


def test_nothing_learned_has_no_efficiency():
  values = np.array([[0.3, 0.3], [0.2, 0.2], [0.0, 0.4]]).reshape(3, 1, 1, 1, 2)
  panels = statistical_efficiency(table_of(values, scores=_SCORES), scores=("mig",))
  np.testing.assert_allclose(panels["set 0", "mig"]["method 0"], [[0.3, 0.5]])
