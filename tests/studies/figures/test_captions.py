import numpy as np
import pytest
from study_tables import made_up_study, only

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import MatrixPanel
from disentangle_tf.studies.figures.captions import (
  caption,
  interval_cell,
  interval_tables,
  number_of,
  number_of_points,
  present_scores,
)
from disentangle_tf.studies.results_table import one_step


def test_in_the_order_that_was_asked_for():
  table = made_up_study(num_strengths=1, num_seeds=1)
  assert present_scores(table, ("sap", "none", "mig"), "plot") == ("sap", "mig")
  with pytest.raises(UserError, match="plot needs one of none; the table has accuracy"):
    present_scores(table, ("none",), "plot")


def _panel(**bounds):
  values = np.ma.masked_invalid([[0.514, np.nan]])
  return MatrixPanel(("mig",), ("sap", "kl"), values, np.array([[60, 60]]), **bounds)


def test_values_with_intervals():
  low, high = np.ma.array([[-0.001, 0.0]]), np.ma.array([[0.6, 0.0]])
  text = interval_tables({"dsprites": _panel(low=low, high=high)}, "Words.")
  assert text == (
    "**dSprites** (n = 60, 1 empty)\n\n"
    "|  | SAP | KL |\n|---|---|---|\n| MIG | 51 [0, 60] | – |\n\nWords.\n"
  )


def test_cells():
  assert interval_cell(_panel(), 0, 0, decimals=2) == "0.51"
  assert interval_cell(_panel(), 0, 1) == "–"


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
