"""The figures of Zietlow et al. 2021, and the numbers of its tables 1 and 3 to 5."""

from __future__ import annotations

import csv
import pathlib

from disentangle_tf import studies

FIGURES = {
  # Two latents moved at once, of the best and the worst models, figures 10 and 11.
  # Needs mig and the exports.
  "zietlow_figure_10": [studies.plot_latent_planes],
}

_TABLE_1 = pathlib.Path(__file__).with_name("zietlow_table_1.csv")


def zietlow_table_1(data: str) -> dict[str, dict[str, dict[str, str]]]:
  """Read tables 1 and 3 to 5: mean and standard deviation of ten seeds.

  Those of the arXiv version, whose autoencoder has the original set alone.

  Args:
    data: "dsprites" or "shapes3d".

  Returns:
    {score: {method: {version of the set: text}}}, as `plot_score_summary` takes it.

  Reference:
    Zietlow, Rolinek & Martius 2021, https://arxiv.org/abs/2102.06822

  Example:
    >>> from disentangle_tf import papers
    >>> papers.zietlow_table_1("dsprites")["mig"]["PCL"]["original"]
    '0.21 ± 0.03'
  """
  found: dict[str, dict[str, dict[str, str]]] = {}
  with _TABLE_1.open(encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
      if row["data"] == data:
        methods = found.setdefault(row["score"], {})
        text = f"{row['mean']} ± {row['deviation']}"
        methods.setdefault(row["method"], {})[row["version"]] = text
  return found
