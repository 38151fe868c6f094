"""Models that use as many latents as there are factors: Zietlow et al. 2021."""

import numpy as np


def active_models(table, num_factors, *, score):
  """The rows of the models that have at least as many active latents as factors.

  Zietlow et al. discard the others when they draw scores against the strength (figures
  5 and 7 to 9); active is a latent whose mean posterior variance is below 0.8.

  Args:
    table: `ResultsTable` of one step per model.
    num_factors: {data set: its number of factors}.
    score: name of the score that counts active latents.

  Returns:
    (`ResultsTable` of what is left; how many models were discarded, those without the
    score among them).
  """
  wide = table.pivot([score])
  models, counts = wide.with_score(score)
  needed = np.array([num_factors[data] for data in models.data.tolist()], float)
  kept = table.select(run=models.run[counts >= needed])
  return kept, table.num_models - kept.num_models
