"""What belongs to one paper: its figures by name, and the numbers that it published.

`FIGURES` is {name: [plots]}; a plot is a function of a study's table, as `Study.plots`
has them. `bin/study.py plot --figure NAME` draws them of any study with the scores.
"""

from __future__ import annotations

from disentangle_tf.papers import locatello, zietlow
from disentangle_tf.papers.mathieu import plot_aggregate_posteriors
from disentangle_tf.papers.michlo import michlo_table_a1
from disentangle_tf.papers.zietlow import plot_directions, zietlow_table_1

FIGURES = {**locatello.FIGURES, **zietlow.FIGURES}

__all__ = [
  "FIGURES",
  "locatello",
  "michlo_table_a1",
  "plot_aggregate_posteriors",
  "plot_directions",
  "zietlow_table_1",
]
