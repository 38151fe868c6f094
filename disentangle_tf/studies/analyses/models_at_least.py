"""Models whose score is high enough, and all others: Zietlow et al. 2021."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf.studies.model_scores import pivot

if TYPE_CHECKING:
  import pandas as pd


def models_at_least(
  table: pd.DataFrame, *, score: str, least: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
  """The rows of the models that have at least this score, and those of all others.

  Zietlow et al. leave out over-pruned models when they draw scores against the weight
  (figures 5 and 7 to 9): those with fewer active latents than there are factors. A
  latent is active if its mean posterior variance is below 0.8.

  Args:
    table: results table of one step per model.
    score: name, such as "active_latents_by_variance".
    least: the lowest score of a model that stays.

  Returns:
    Two results tables; models without the score are among the others.
  """
  models = pivot(table, [score])
  enough = table["run"].isin(models.loc[models[score] >= least, "run"])
  return table[enough], table[~enough]
