import numpy as np
from study_tables import made_up_study, only

from disentangle_tf.studies.analyses import MatrixPanel
from disentangle_tf.studies.figures.captions import (
  caption,
  number_of,
  number_of_points,
)
from disentangle_tf.studies.results_table import one_step


def test_which_how_many_and_how_many_are_missing():
  table = made_up_study(num_strengths=2, num_seeds=2)  # 72 models
  words = caption(one_step(table, "last"), ["mig", "sap"], "Medians", "")
  assert words == "Medians. Last evaluation of each training. 72 models."
  fewer = one_step(only(table, score="mig", seed=1), "best")
  words = caption(fewer, ["mig"])
  assert words.startswith(
    "Best evaluation of each training (biased upwards). 36 models;"
  )
  assert words.endswith("36 are missing or lack a score.")
  # A score that no model has was not asked for.
  assert "missing" not in caption(one_step(table, "last"), ["mig", "no_such_score"])


def test_numbers_of_panels():
  values = np.ma.masked_invalid([[1.0, np.nan, 0.5]])
  panel = MatrixPanel(("a",), ("b", "c", "d"), values, np.array([[1800, 3, 1790]]))
  assert number_of(panel) == "n = 1,790–1,800, 1 empty"
  same = MatrixPanel(("a",), ("b",), np.ma.array([[1.0]]), np.array([[36]]))
  assert number_of(same, "settings") == "n = 36 settings"
  assert number_of_points({"a": [1, 2], "b": [3]}) == "n = 3"
