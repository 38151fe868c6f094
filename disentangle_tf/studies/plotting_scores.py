"""Figures of a study's scores."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.score_direction import merit

if TYPE_CHECKING:
  from matplotlib.figure import Figure

  from disentangle_tf.studies.finished_run import FinishedRun

MAIN_PAPER_SCORES = {"mig": "MIG", "disentanglement": "DCI disentanglement"}


def plot_score_curves(
  finished: Sequence[FinishedRun],
  *,
  over: str,
  label: str,
  scores: Mapping[str, str] | None = None,
) -> dict[str, Figure]:
  """Scores as one setting changes: figure 9 of Michlo et al. 2023.

  If other settings were swept, the best of them is drawn for each run and value: the
  one with the highest median over seeds (the lowest, if lower scores are better).

  Args:
    finished: [`FinishedRun`].
    over: name of the swept setting of the x axis, such as a gin binding.
    label: of the x axis.
    scores: {name: title}; MIG and DCI disentanglement by default.

  Returns:
    {"score_curves": figure}.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import studies
    >>> finished = [
    ...   studies.FinishedRun(
    ...     "beta-VAE", {"BETA": beta}, seed, pathlib.Path(), {"mig": beta / 8}
    ...   )
    ...   for beta in (1, 4)
    ...   for seed in range(3)
    ... ]
    >>> titles = {"mig": "MIG"}
    >>> list(studies.plot_score_curves(finished, over="BETA", label="β", scores=titles))
    ['score_curves']
  """
  for each in finished:
    if over not in each.settings:
      raise UserError(
        f"plot_score_curves, {each.run}: {over} was not swept (but "
        f"{list(each.settings)} were)"
      )
  panels = {}
  for name, title in _titles("plot_score_curves", scores).items():
    panels[title] = curves = {}
    for (run, value), best in _best(finished, name, over).items():
      curves.setdefault(run, {})[value] = best
  return {"score_curves": plots.score_curves_figure(panels, label)}


def plot_score_strips(
  finished: Sequence[FinishedRun], *, scores: Mapping[str, str] | None = None
) -> dict[str, Figure]:
  """Scores of each run: figure 11 of Michlo et al. 2023.

  If settings were swept, the best of them is drawn, see `plot_score_curves`.

  Args:
    finished: [`FinishedRun`].
    scores: {name: title}; MIG and DCI disentanglement by default.

  Returns:
    {"score_strips": figure}.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import studies
    >>> finished = [
    ...   studies.FinishedRun(
    ...     "beta-VAE", {"BETA": beta}, seed, pathlib.Path(), {"mig": beta / 8}
    ...   )
    ...   for beta in (1, 4)
    ...   for seed in range(3)
    ... ]
    >>> list(studies.plot_score_strips(finished, scores={"mig": "MIG"}))
    ['score_strips']
  """
  panels = {}
  for name, title in _titles("plot_score_strips", scores).items():
    panels[title] = {run: best for (run, _), best in _best(finished, name).items()}
  return {"score_strips": plots.score_strips_figure(panels)}


def _titles(owner: str, scores: Mapping[str, str] | None) -> Mapping[str, str]:
  """{name of a score: title of its panel}."""
  if scores is None:
    return MAIN_PAPER_SCORES
  if not isinstance(scores, dict) or not scores:
    raise UserError(f"{owner}.scores is {scores!r}: it must be {{name: title}}")
  return scores


def _best(
  finished: Sequence[FinishedRun], name: str, over: str | None = None
) -> dict[tuple[str, Any], list[float]]:
  """{(run, value of `over`): scores of the seeds at the best of all other settings}."""
  groups = {}
  for each in finished:
    others = tuple(item for item in each.settings.items() if item[0] != over)
    by_setting = groups.setdefault((each.run, each.settings.get(over or "")), {})
    by_setting.setdefault(others, []).append(_score(each, name))
  return {
    key: max(by_setting.values(), key=lambda s: merit(name, statistics.median(s)))
    for key, by_setting in groups.items()
  }


def _score(finished: FinishedRun, name: str) -> float:
  if name not in finished.scores:
    raise UserError(f"there is no score {name!r} (but {', '.join(finished.scores)})")
  return finished.scores[name]
