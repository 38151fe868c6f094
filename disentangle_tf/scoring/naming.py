"""Names of the scores that measurements will give."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  from disentangle_tf.scoring.codes_table import CodesTable
  from disentangle_tf.scoring.endless_codes import EndlessCodes
  from disentangle_tf.scoring.measurement import Measurement

_FEW = 100  # points, batches or other things that a metric counts


def score_names(
  measurements: Iterable[Measurement], *, repeats: int = 1
) -> list[str] | None:
  """Names of all scores, found by taking the measurements on a few made-up codes.

  A metric that counts more than 100 points or batches is computed on 100 of them. This
  takes seconds for most measurements, 15 s for all. The names include scores that only
  models with a likelihood have.

  Args:
    measurements: [`scoring.Measurement`].
    repeats: number of times each measurement is taken; if more than 1, the names of
      every repeat are included.

  Returns:
    [name], or None if a measurement cannot be taken on made-up codes.

  Example:
    >>> from disentangle_tf import metrics, scoring, studies
    >>> scoring.score_names([scoring.Measurement(metrics.mig)])
    ['mig']
  """
  from disentangle_tf.priors import IsotropicNormal

  table, names = _made_up_codes(), []
  known = {"generative_model": _MadeUpModel(), "prior": IsotropicNormal()}
  for measurement in measurements:
    try:
      names += _with_few(measurement).scores(table, seed=0, **known)
    except UserError:  # it needs more points than a few
      try:
        names += measurement.scores(table, seed=0, **known)
      except UserError:
        return None
  if repeats == 1:
    return names
  single = [repeated_name(i, name) for i in range(repeats) for name in names]
  return names + single


def repeated_name(number: int, name: str) -> str:
  """The name of one repeat of a score, such as "repeat_0_mig"."""
  return f"repeat_{number}_{name}"


def _made_up_codes() -> CodesTable | EndlessCodes:
  """Codes of a model that projects images on a few random directions."""
  from disentangle_tf.data import XYSquares
  from disentangle_tf.scoring.codes_table import CodesTable

  data = XYSquares(image_size=8, square_size=2, grid_spacing=2, num_squares=2)
  angles = np.random.default_rng(0).normal(size=(8 * 8 * 2, 3)).astype(np.float32)

  def encode(images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    means = images.reshape(len(images), -1) @ angles
    return means, np.full_like(means, -2.0)

  def decode(codes: np.ndarray) -> np.ndarray:
    return (codes @ angles.T).reshape(len(codes), *data.observation_shape)

  return CodesTable.of_model(
    encode, data, reconstruct=lambda images: images, decode=decode
  )


class _MadeUpModel:
  """Replaces an `export.GenerativeModel`; all images have the same likelihood."""

  def log_likelihoods(self, images: np.ndarray, codes: np.ndarray) -> np.ndarray:
    return np.zeros(len(images))

  def divergences(
    self, means: np.ndarray, log_variances: np.ndarray, codes: np.ndarray
  ) -> np.ndarray:
    return np.zeros(len(means))


def _with_few(measurement: Measurement) -> Measurement:
  """The same measurement on fewer points."""
  parameters = inspect.signature(measurement.metric).parameters
  counts = {
    name: _FEW
    for name, parameter in parameters.items()
    if type(parameter.default) is int and parameter.default > _FEW
  }
  few = measurement.with_points(_FEW, _FEW)
  return few.with_metric(few.metric, counts)
