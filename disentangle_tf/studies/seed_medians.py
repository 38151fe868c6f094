"""Scores over seeds, one row per run and setting."""

import statistics

from disentangle_tf.studies.plan import setting_text


def seed_medians(finished):
  """The median over seeds of every score.

  Args:
    finished: [`FinishedRun`].

  Returns:
    [(first of the models that differ in their seed alone, how many there are, {score:
    median of those that have it})], in the order of the models.
  """
  groups = {}
  for each in finished:
    groups.setdefault((each.run, setting_text(each)), []).append(each)
  return [(models[0], len(models), _medians(models)) for models in groups.values()]


def _medians(models):
  names = dict.fromkeys(name for each in models for name in each.scores)
  return {
    name: statistics.median(each.scores[name] for each in models if name in each.scores)
    for name in names
  }
