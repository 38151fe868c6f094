"""Models whose score is high enough, and all others: Zietlow et al. 2021."""


def models_at_least(table, *, score, least):
  """The rows of the models that have at least this score, and those of all others.

  Zietlow et al. leave out over-pruned models when they draw scores against the weight
  (figures 5 and 7 to 9): those with fewer active latents than there are factors, a
  latent being active if its mean posterior variance is below 0.8.

  Args:
    table: `ResultsTable` of one step per model.
    score: name, such as "active_latents_by_variance".
    least: the lowest score of a model that stays.

  Returns:
    Two `ResultsTable`; models without the score are among the others.
  """
  models, values = table.pivot([score]).with_score(score)
  kept = table.select(run=models.run[values >= least])
  return kept, table.select(run=sorted({*table.names("run")} - {*kept.names("run")}))
