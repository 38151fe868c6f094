"""Scores as one setting grows, with a fitted curve: Michlo et al. 2023, figure 9."""

import dataclasses

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.polynomial_fit import PolynomialFit, polynomial_fit
from disentangle_tf.studies.analyses.swept_value import swept_value
from disentangle_tf.studies.paper_names import MICHLO_METRICS, in_paper_order
from disentangle_tf.studies.score_direction import merit


@dataclasses.dataclass(frozen=True)
class FittedScores:
  """Scores of one method, and the curve through them.

  Attributes:
    points: [models, 2] of (value of the setting, score).
    fit: `PolynomialFit`.
  """

  points: np.ndarray
  fit: PolynomialFit


def score_fit(
  table,
  *,
  over,
  others="pooled",
  scores=tuple(MICHLO_METRICS),
  degree=4,
  resamples=1_000,
  rng=777,
):
  """Scores against one swept setting, a polynomial through them and its band.

  Args:
    table: `ResultsTable` of one step per model; the best of training in the paper.
    over: name of the swept setting, see `swept_value`; or {data set: its value}, if
      the data sets are the values.
    others: what of all other settings is drawn: "pooled", all models; "best", for each
      method and value the setting with the best median; or {method: {value: text}},
      the models whose setting holds this text, such as "BETA=0.001": in the paper 0.001
      for Ada-GVAE, and for beta-VAE 0.001 from spacing 3 on and 0.00316 below.
    scores: names.
    degree, resamples, rng: of the fit, see `polynomial_fit`.

  Returns:
    {score: {method: `FittedScores`}}; methods without a model are left out.
  """
  wide = table.pivot(scores)
  panels = {}
  for score in scores:
    models, values = wide.with_score(score)
    places = _places(models, over)
    keep = _chosen(score, models, values, places, others)
    panels[score] = {}
    for method in in_paper_order(set(models.method[keep].tolist())):
      mask = keep & (models.method == method)
      panels[score][method] = FittedScores(
        points=np.stack([places[mask], values[mask]], axis=1),
        fit=polynomial_fit(
          places[mask], values[mask], degree=degree, resamples=resamples, rng=rng
        ),
      )
  return panels


def _places(models, over):
  if isinstance(over, dict):
    for name in models.data.tolist():
      if name not in over:
        raise UserError(f"score_fit.over has no value for the data set {name!r}")
    return np.array([over[name] for name in models.data.tolist()], float)
  return np.array([swept_value(text, over) for text in models.setting.tolist()], float)


def _chosen(score, models, values, places, others):
  """[models] bool: those to be drawn."""
  if others == "pooled":
    return np.ones(len(models), bool)
  if others == "best":
    return _best(score, models, values, places)
  if not isinstance(others, dict):
    raise UserError(
      f'score_fit.others is {others!r}: it must be "pooled", "best" or '
      "{method: {value: text}}"
    )
  wanted = [
    others.get(method, {}).get(place)
    for method, place in zip(models.method.tolist(), places.tolist(), strict=True)
  ]
  texts = models.setting.tolist()
  return np.array(
    [_holds(text, part) for text, part in zip(texts, wanted, strict=True)], bool
  )


def _holds(text, part):
  """Whether `part` is one of the settings of a text: BETA=0.001, not BETA=0.0011."""
  return part is not None and part in [each.strip() for each in text.split(",")]


def _best(score, models, values, places):
  score_merits, keep = merit(score, values), np.zeros(len(models), bool)
  groups = sorted(set(zip(models.method.tolist(), places.tolist(), strict=True)))
  for method, place in groups:
    here = (models.method == method) & (places == place)
    medians = {
      setting: np.median(score_merits[here & (models.setting == setting)])
      for setting in sorted(set(models.setting[here].tolist()))
    }
    keep |= here & (models.setting == max(medians, key=medians.get))
  return keep
