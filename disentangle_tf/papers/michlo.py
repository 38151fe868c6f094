"""Table A1 of Michlo, Klein & James 2023: published distances of the data sets."""

from __future__ import annotations

import csv
import pathlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData
  from disentangle_tf.losses import ReconstructionLoss

_TABLE_A1 = pathlib.Path(__file__).with_name("michlo_table_a1.csv")


def michlo_table_a1(
  data: GroundTruthData, loss: ReconstructionLoss
) -> dict[str, tuple[float, float]]:
  """Read the paper's rows of a data set, if data set and loss are the paper's.

  Args:
    data: the data set; XYSquares has to be the adversarial one.
    loss: the reconstruction loss; the paper measured the squared error.

  Returns:
    {factor, or "random": (mean, standard deviation)} of 50,000 pairs each, largest
    mean first. Empty for another data set or loss.

  Reference:
    Michlo, Klein & James 2023, Table A1.

  Example:
    >>> from disentangle_tf import data, losses, papers
    >>> papers.michlo_table_a1(data.XYSquares(), losses.MSE())["x_R"]
    (0.0104, 0.0)
  """
  from disentangle_tf.losses import MSE

  with _TABLE_A1.open(encoding="utf-8", newline="") as file:
    rows = {
      row["factor"]: (float(row["mean"]), float(row["deviation"]))
      for row in csv.DictReader(file)
      if row["data"] == data.name
    }
  same = set(rows) == {"random", *data.factors.names}
  adversarial = data.name != "xysquares" or data.get_config()["grid_spacing"] == 8
  return rows if same and adversarial and type(loss) is MSE else {}
