"""A plot tried out before anything is trained."""

import collections

from disentangle_tf.studies.finished_run import FinishedRun, run_label


def rehearse(plot, plans, score_names):
  """Calls `plot` with what is known of the runs, so that its mistakes cost no training.

  Scores are made up. A plot that opens models is followed until it does.

  Args:
    plot: function of [`FinishedRun`], see `Study`.
    plans: [`Plan`].
    score_names: what their scores will be called; None if that is not known.
  """
  scores = _AnyScore() if score_names is None else dict.fromkeys(score_names, 0.5)
  try:
    plot(
      [
        _PlannedRun(run_label(plan), plan.settings, plan.seed, None, scores)
        for plan in plans
      ]
    )
  except _NotTrainedError:
    return


class _NotTrainedError(Exception):
  """A plot opens a model that there is not yet."""


class _PlannedRun(FinishedRun):
  """A run to be, which has no export yet."""

  def __getattribute__(self, name):
    if name == "export":
      raise _NotTrainedError
    return super().__getattribute__(name)


class _AnyScore(collections.UserDict):
  """Whatever a score is called, it is there."""

  def __contains__(self, name):
    return True

  def __getitem__(self, name):
    return 0.5
