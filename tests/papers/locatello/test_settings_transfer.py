import functools

import numpy as np
import pytest
from study_figure_checks import run_figure_test, small_study
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.papers.locatello import (
  plot_transfer_of_settings,
  transfer_of_settings,
)

_SIX = tuple("abcdef")
_CHANCE = 1 / 36 + 35 / 72


def _transfer(values, **options):
  """Of values [data sets, metrics, 36 settings, seeds]."""
  shape = (*values.shape[:2], 6, 6, values.shape[3])
  scores = _SIX[: shape[1]]
  table = table_of(values.reshape(shape).swapaxes(0, 1), scores=scores)
  return transfer_of_settings(table, scores=scores, **{"resamples": 0, **options})


@functools.cache
def _noise():
  return np.random.default_rng(0).normal(size=(7, 6, 36, 50))


def _settings(shape=(7, 6, 36, 50)):
  return np.broadcast_to(np.arange(36.0)[:, None], shape).copy()


def test_promises():
  analysis = functools.partial(transfer_of_settings, resamples=20, draws=500)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=4))


def test_noise_is_no_better_than_chance():
  found = _transfer(_noise())
  assert pytest.approx(37 / 72) == _CHANCE
  # Three standard deviations of each cell, from many such tables.
  off = np.abs(found.exact - _CHANCE)
  assert (off < [[0.0006, 0.0015], [0.001, 0.0025]]).all()
  np.testing.assert_allclose(found.chance, np.full((2, 2), _CHANCE))
  assert found.num_models == 12_600 and found.num_settings == 36
  assert found.num_draws.tolist() == [
    [7 * 6 * 50 * 6 * 5 * 49, 7 * 6 * 50 * 5 * 49],
    [7 * 6 * 50 * 6 * 49, 7 * 6 * 50 * 49],
  ]


def test_settings_that_are_good_everywhere_always_win():
  np.testing.assert_array_equal(_transfer(_settings()).exact, np.ones((2, 2)))


def test_signs_that_flip_between_data_sets():
  values = _settings((7, 6, 36, 4))
  values[[1, 3, 5]] *= -1
  exact = _transfer(values).exact
  np.testing.assert_allclose(exact[:, 1], 1)  # the same data set
  expected = 18 / 42 + 24 / 42 / 36
  np.testing.assert_allclose(exact[:, 0], expected)
  assert round(expected, 4) == 0.4444


def test_ties_are_successes():
  found = _transfer(np.zeros((3, 2, 36, 4)), draws=1_000)
  np.testing.assert_array_equal(found.exact, np.ones((2, 2)))
  np.testing.assert_array_equal(found.drawn, np.ones((2, 2)))


def _independent_effects():
  rng = np.random.default_rng(1)
  return rng.normal(size=(7, 6, 36, 1)) + _noise()


def test_effects_of_their_own_do_not_transfer():
  exact = _transfer(_independent_effects()).exact
  # 0.799 by simulation of the draws themselves; one such table is off by 0.01 or so.
  assert exact[1, 1] == pytest.approx(0.799, abs=0.025)
  others = [exact[0, 0], exact[0, 1], exact[1, 0]]
  np.testing.assert_allclose(others, [_CHANCE] * 3, atol=0.02)


def test_ten_thousand_draws_are_near_the_exact_value():
  found = _transfer(_independent_effects(), draws=10_000)
  np.testing.assert_allclose(found.drawn, found.exact, atol=0.015)


def test_draws_and_mean_agree_when_models_are_missing():
  values = _independent_effects()[:3, :, :, :8].copy()
  rng = np.random.default_rng(2)
  gone = rng.random((3, 36, 8)) < 0.4
  values[np.broadcast_to(gone[:, None], values.shape)] = np.nan
  found = _transfer(values, draws=20_000)
  np.testing.assert_allclose(found.drawn, found.exact, atol=0.012)
  assert found.num_models == (~gone).sum()


@pytest.mark.parametrize("seed", [3, 11, 29])
def test_both_ways_by_brute_force_with_unevenly_missing_models(seed):
  rng = np.random.default_rng(seed)
  values = rng.integers(4, size=(2, 2, 36, 3)).astype(float)  # with many ties
  values += np.linspace(0, 3, 36)[:, None]
  # Few settings have all seeds, so that the number of rivals is far from constant.
  valid = rng.random((2, 36, 3)) < rng.choice([0.08, 0.5, 0.95], size=(2, 1, 3))
  values[~np.broadcast_to(valid[:, None], values.shape)] = np.nan
  outcomes = {cell: [] for cell in np.ndindex(2, 2)}
  for d, m, s in np.ndindex(2, 2, 3):
    best = int(np.nanargmax(values[d, m, :, s]))
    for d2, m2, s2 in np.ndindex(2, 2, 3):
      if s2 != s and valid[d2, best, s2]:
        rivals = values[d2, m2, valid[d2, :, s2], s2]
        share = np.mean(values[d2, m2, best, s2] >= rivals)
        outcomes[int(m == m2), int(d == d2)].append(share)
  draws = 40_000
  found = _transfer(values, draws=draws, rng=seed)
  for cell, shares in outcomes.items():
    expected = np.mean(shares)
    assert found.exact[cell] == pytest.approx(expected, abs=1e-12)
    deviation = np.sqrt(expected * (1 - expected) / draws)
    assert found.drawn[cell] == pytest.approx(expected, abs=4 * deviation)


def test_a_setting_counts_if_it_has_every_score():
  table = made_up_study(num_strengths=2, num_seeds=3)
  table = only(table, score="sap", seed=1, method="beta-VAE")
  found = transfer_of_settings(table, resamples=0)
  assert found.num_models == 3 * 6 * 2 * 3 - 3 * 2
  assert found.num_settings == 12


def test_the_interval_holds_the_value_and_leaves_copies_of_a_seed_apart():
  found = _transfer(_independent_effects()[:, :, :, :10], resamples=300)
  assert (found.low <= found.exact).all() and (found.exact <= found.high).all()
  # Copies of a seed that met themselves would raise this well above chance.
  noise = _transfer(_noise()[..., :10], resamples=300)
  assert noise.low[1, 1] < _CHANCE < noise.high[1, 1]


def test_one_data_set_one_metric_one_seed():
  one_set = _transfer(_noise()[:1, :, :, :5], draws=100, resamples=5)
  assert one_set.exact.mask.tolist() == [[True, False], [True, False]]
  assert one_set.drawn.mask.tolist() == one_set.low.mask.tolist()
  assert one_set.low.mask.tolist() == one_set.exact.mask.tolist()
  one_metric = _transfer(_noise()[:, :1, :, :5])
  assert one_metric.exact.mask.tolist() == [[True, True], [False, False]]
  one_seed = _transfer(_noise()[..., :1], draws=10, resamples=5)
  assert one_seed.exact.mask.all() and one_seed.drawn.mask.all()
  assert one_seed.low.mask.all()


def test_the_best_of_a_score_that_is_better_when_lower():
  """Chosen by KL, the setting with the lowest one."""
  values = _settings((2, 2, 36, 3))
  values[:, 1] *= -1
  shape = (2, 2, 6, 6, 3)
  table = table_of(values.reshape(shape).swapaxes(0, 1), scores=("mig", "kl"))
  found = transfer_of_settings(table, scores=("mig", "kl"), resamples=0)
  np.testing.assert_array_equal(found.exact, np.ones((2, 2)))


def test_plot_transfer_of_settings_promises():
  run_figure_test(plot_transfer_of_settings, resamples=10, draws=100)


def test_exact_drawn_and_chance():
  table = small_study()
  found = plot_transfer_of_settings(table, draws=200, resamples=10)
  text = found["transfer_of_settings.md"]
  for value in transfer_of_settings(table, resamples=0).exact.compressed():
    assert f"{100 * value:.1f} %" in text
  assert text.count(f"chance {100 * 13 / 24:.1f} %") == 4  # 12 settings
  assert "share of 200 draws" in text and text.count("drawn") == 4
  cells = [each.get_text() for each in found["transfer_of_settings"].axes[0].texts]
  assert cells[1:4] == ["other data set", "same data set", "other metric"]
  assert len(cells) == 9


def test_one_data_set_leaves_cells_empty():
  table = small_study(data=("dsprites",))
  text = plot_transfer_of_settings(table, resamples=0)["transfer_of_settings.md"]
  assert text.count("| – |") == 2 and "drawn" not in text
