import numpy as np

from disentangle_tf.studies.analyses import MatrixPanel
from disentangle_tf.studies.figures.interval_tables import (
  interval_cell,
  interval_tables,
)


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
