import functools

import numpy as np
import pytest
from study_tables import made_up_study, row_of, run_analysis_test

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import polynomial_fit, score_fit
from disentangle_tf.studies.results_table import results_table

_SPACINGS = np.repeat(np.arange(1.0, 9.0), 5)


def _quartic(x):
  return 0.7 - 0.3 * x + 0.11 * x**2 - 0.02 * x**3 + 0.001 * x**4


def test_an_exact_quartic_goes_through_every_point():
  fit = polynomial_fit(
    _SPACINGS, _quartic(_SPACINGS), resamples=50, at=np.arange(1.0, 9.0)
  )
  np.testing.assert_allclose(fit.y, _quartic(fit.x), atol=1e-10)
  np.testing.assert_allclose(fit.low, fit.y, atol=1e-8)
  np.testing.assert_allclose(fit.high, fit.y, atol=1e-8)
  assert fit.degree == 4


def test_the_band_is_around_the_curve():
  noise = 0.1 * np.random.default_rng(0).normal(size=len(_SPACINGS))
  fit = polynomial_fit(_SPACINGS, _quartic(_SPACINGS) + noise, resamples=300)
  assert (fit.low < fit.y).all() and (fit.y < fit.high).all()
  inside = (fit.low <= _quartic(fit.x)) & (_quartic(fit.x) <= fit.high)
  assert inside.mean() > 0.7 and len(fit.x) == 100
  assert fit.num_resamples == 300


def test_few_places_lower_the_degree():
  fit = polynomial_fit([1, 1, 2, 2], [0.1, 0.3, 0.5, 0.7], resamples=40)
  assert fit.degree == 1 and 0 < fit.num_resamples < 40
  np.testing.assert_allclose(fit.y[[0, -1]], [0.2, 0.6])
  point = polynomial_fit([3, 3], [0.2, 0.4], resamples=0)
  assert point.degree == 0 and point.low is None
  np.testing.assert_allclose(point.y, 0.3)


def test_the_same_seed_gives_the_same_band():
  y = np.random.default_rng(1).random(len(_SPACINGS))
  first, second = (polynomial_fit(_SPACINGS, y, resamples=20) for _ in range(2))
  np.testing.assert_array_equal(first.low, second.low)
  other = polynomial_fit(_SPACINGS, y, resamples=20, rng=1)
  assert (other.low != first.low).any()
  assert first.y == pytest.approx(other.y)


_BETAS = ("0.001", "0.00316")


def _spacings(value):
  """Two methods, spacings 1 to 8, two betas, five seeds."""
  return results_table(
    row_of(
      "xysquares", method, 0, seed, "mig", value(method, spacing, beta, seed),
      setting=f"BETA={beta}, data.XYSquares.grid_spacing={spacing}",
    )
    for method in ("beta-VAE", "Ada-GVAE")
    for spacing in range(1, 9)
    for beta in _BETAS
    for seed in range(5)
  )  # fmt: skip


def _fit(table, **options):
  options = {"over": "grid_spacing", "scores": ("mig",), "resamples": 20, **options}
  return score_fit(table, **options)["mig"]


def test_promises():
  analysis = functools.partial(score_fit, over="BETA", resamples=10)
  run_analysis_test(analysis, made_up_study(num_strengths=3, num_seeds=3))


def test_a_quartic_in_the_spacing():
  table = _spacings(lambda method, x, beta, seed: 0.8 - 0.01 * (x - 3) ** 4)
  for fitted in _fit(table).values():
    assert fitted.points.shape == (80, 2)
    np.testing.assert_allclose(
      fitted.fit.y, 0.8 - 0.01 * (fitted.fit.x - 3) ** 4, atol=1e-9
    )
  assert list(_fit(table)) == ["beta-VAE", "Ada-GVAE"]


def test_the_best_of_all_other_settings():
  def value(method, spacing, beta, seed):
    low = (beta == "0.001") == (spacing < 3)
    return 0.1 if low else 0.5 + 0.01 * seed

  fitted = _fit(_spacings(value), others="best")["beta-VAE"]
  assert fitted.points.shape == (40, 2) and fitted.points[:, 1].min() == 0.5


def test_the_betas_of_the_paper():
  def value(method, spacing, beta, seed):
    return float(beta)

  others = {
    "Ada-GVAE": dict.fromkeys(range(1, 9), "BETA=0.001"),
    "beta-VAE": {x: "BETA=0.00316" if x < 3 else "BETA=0.001" for x in range(1, 9)},
  }
  found = _fit(_spacings(value), others=others)
  assert set(found["Ada-GVAE"].points[:, 1]) == {0.001}
  for x, y in found["beta-VAE"].points:
    assert y == (0.00316 if x < 3 else 0.001)
  assert sum(len(fitted.points) for fitted in found.values()) == 80


def test_data_sets_as_values():
  table = results_table(
    row_of(f"spacing_{x}", "m", 0, seed, "mig", x / 8)
    for x in (1, 2, 4)
    for seed in (0, 1)
  )
  values = {f"spacing_{x}": x for x in (1, 2, 4)}
  fitted = _fit(table, over=values)["m"]
  np.testing.assert_allclose(fitted.points[:, 1], fitted.points[:, 0] / 8)
  with pytest.raises(UserError, match="no value for the data set 'spacing_1'"):
    _fit(table, over={"spacing_2": 2})
  with pytest.raises(UserError, match="others is 'all'"):
    _fit(table, over=values, others="all")


def test_the_best_of_a_score_that_is_better_when_lower():
  rows = [
    row_of("d", "a", k, seed, "kl", kl, setting=f"S={place}, BETA={beta}")
    for place in (1, 2)
    for k, (beta, kls) in enumerate(((0.1, [8.0, 9.0, 1.0]), (1.0, [5.0, 7.0, 6.0])))
    for seed, kl in enumerate(kls)
  ]
  table = results_table(rows)
  fitted = score_fit(
    table, over="S", others="best", scores=("kl",), degree=1, resamples=0
  )
  assert sorted(fitted["kl"]["a"].points[:, 1]) == [5, 5, 6, 6, 7, 7]
